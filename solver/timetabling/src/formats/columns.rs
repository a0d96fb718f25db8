//! Columns of tables, recognised by their usual names in English, German, Greek and French.

pub use gridwright_core::text::columns::Column;

const STUDENT: Column = Column::required(
    "student",
    "studentid studentcode studentnumber studentno studentnr students studid matriculation matriculationnumber \
     matriculationno matrikelnummer matrikelnr matrikel mtknr studierende studierender registration registrationnumber \
     regno registrationid candidate candidatenumber candidateno candidateid person personid learner learnerid pupil \
     pupilid schüler φοιτητής φοιτήτρια αριθμόςμητρώου μητρώο αμ αεμ κωδικόςφοιτητή μαθητής étudiant numéroétudiant \
     numétudiant noétudiant matricule élève candidat",
);

/// Exam of an enrolment, or of a row of a timetable.
pub(super) const EXAM: Column = Column::required(
    "exam",
    "examcode examid examnumber examno exams examination examinationcode prüfungsnummer prüfungsnr prüfung klausur \
     course coursecode courseid courseno module modulecode moduleid modul modulnummer modulnr lehrveranstaltung \
     lvnummer fach subject subjectcode unit unitcode paper papercode crn μάθημα κωδικόςμαθήματος κωδμαθήματος εξέταση \
     examen codeexamen épreuve matière codematière codemodule codecours cours ue codeue code κωδικός",
);

const TITLES: &str = "\
    examtitle coursetitle moduletitle subjecttitle papertitle examname coursename modulename subjectname description \
    titel modultitel modulname prüfungsname bezeichnung modulbezeichnung τίτλος τίτλοςμαθήματος ονομασία \
    όνομαμαθήματος περιγραφή titre intitulé libellé nomducours";

/// Columns of an enrolment table; a title may stand beside the exam.
pub(crate) const ENROLMENTS: [Column; 3] = [STUDENT, EXAM, Column::optional("title", TITLES)];

/// Columns of a table of exams: code, title, duration, demands on rooms, examiners.
pub(crate) const EXAMS: [Column; 9] = [
    Column::required("code", EXAM_CODES),
    Column::optional("title", EXAM_TITLES),
    Column::optional(
        "duration",
        "minutes durationminutes durationmin durationmins examduration length mins dauer dauermin dauerinminuten \
         prüfungsdauer minuten διάρκεια λεπτά durée duréeminutes duréemin",
    ),
    OWN_ROOM,
    Column::optional(
        "most rooms",
        "maxrooms maximumrooms numberofrooms höchstzahlräume maxräume anzahlräume maximalzahlräume nombredesalles",
    ),
    FEATURES,
    Column::optional("allowed rooms", "roomsallowed possiblerooms erlaubteräume möglicheräume zulässigeräume"),
    Column::optional("seats", "seatsneeded reservedseats benötigteplätze plätze sitzplätze placesnécessaires"),
    Column::optional(
        "examiners",
        "examiner lecturers lecturer teacher teachers prüfer prüferin prüfende erstprüfer dozent dozentin dozenten \
         lehrende aufsicht aufsichten invigilator invigilators supervisor examinateur examinateurs enseignant \
         surveillant εξεταστής εξεταστές καθηγητής διδάσκων",
    ),
];

/// Exams and students who are alone in a room.
const OWN_ROOM: Column = Column::optional(
    "own room",
    "exclusive exclusiveroom separateroom einzelraum eigenerraum separaterraum sallepropre ξεχωριστήαίθουσα",
);

/// Features of rooms, and those that exams need.
const FEATURES: Column = Column::optional(
    "features",
    "feature equipment requirements ausstattung merkmale eigenschaften anforderungen équipement εξοπλισμός",
);

/// Periods in which a room or a person is not there.
const UNAVAILABLE: &str = "\
    closedperiods unavailable unavailability notavailable absent absences absence blocked gesperrt sperrzeiten belegt \
    nichtverfügbar abwesend abwesenheit abwesenheiten verhindert geschlossen sperrung indisponible fermé κλειστή απουσία απουσίες";

const PENALTY: Column = Column::optional("penalty", "penalties malus strafe strafpunkte abzug pénalité ποινή");

/// Columns of a table of rooms: code, seats, building, features, penalty, one exam at a time, closed periods, plan
/// of the seats.
pub(crate) const ROOMS: [Column; 9] = [
    Column::required(
        "room",
        "roomcode roomname roomno roomnumber roomid raum raumnummer raumnr raumname raumbezeichnung saal hörsaal hall \
         venue lecturehall salle amphithéâtre local αίθουσα code name bezeichnung",
    ),
    Column::required(
        "exam seats",
        "examcapacity examplaces klausurplätze prüfungsplätze prüfungskapazität seats capacity places seatcount plätze \
         sitzplätze kapazität θέσεις χωρητικότητα capacité sièges",
    ),
    Column::optional("building", "gebäude haus campus site standort bâtiment κτίριο"),
    FEATURES,
    PENALTY,
    Column::optional("one exam at a time", "single singleexam oneexam nureineprüfung eineprüfung exclusive exklusiv"),
    Column::optional("closed", UNAVAILABLE),
    Column::optional(
        "seat plan",
        "seatplan seating seatgrid rowsofseats sitzplan sitzreihen bestuhlung reihenxplätze plandesplaces placement plano pianta διάταξη",
    ),
    Column::optional(
        "extra time room",
        "commonroom extratimeroom roomforextratime raumfürzeitverlängerung zeitverlängerungsraum raumzeitverlängerung nachteilsausgleichsraum raumfürnachteilsausgleich ntaraum gemeinschaftsraum \
         salletierstemps salaadaptada",
    ),
];

const PERSON: &str = "\
    name examiner examiners person prüfer prüferin prüfende erstprüfer dozent dozentin lecturer teacher lehrende lehrperson aufsicht \
    aufsichtsperson invigilator supervisor examinateur enseignant surveillant εξεταστής καθηγητής διδάσκων nom όνομα";

/// Columns of a table of people: name and periods of absence.
pub(crate) const PEOPLE: [Column; 2] = [Column::required("name", PERSON), Column::optional("absent", UNAVAILABLE)];

/// Columns of a table of pairs: person and exam; absences may stand beside them.
pub(crate) const EXAMINERS: [Column; 3] = [Column::required("examiner", PERSON), EXAM, PEOPLE[1]];

/// E-mail address of a person.
const EMAIL: Column = Column::optional(
    "e-mail",
    "email mail emailaddress mailadresse emailadresse courriel correo correoelectrónico ηλεκτρονικήδιεύθυνση",
);

/// Columns of a table of invigilators: code, name, e-mail address, role, fewest and most duties, absences, exams and colleagues that
/// the person does not have.
pub(crate) const INVIGILATORS: [Column; 9] = [
    Column::required(
        "invigilator",
        "invigilatorcode invigilatorid invigilatornumber invigilatorno supervisor proctor aufsicht aufsichtsperson aufsichtskraft \
         aufsichtsnummer personalnummer staffnumber staffid surveillant επιτηρητής code kürzel",
    ),
    Column::optional(
        "name",
        "invigilatorname fullname nachname familienname nom apellidos cognome όνομα ονοματεπώνυμο",
    ),
    EMAIL,
    Column::optional("role", "function duty rolle funktion aufgabe rôle fonction función ruolo ρόλος"),
    Column::optional(
        "least duties",
        "minduties minimumduties minimumload minload mindestens mindesteinsätze mindestzahl minimum minimumdesurveillances",
    ),
    Column::optional(
        "most duties",
        "maxduties maximumduties maximumload maxload höchstens höchsteinsätze höchstzahl maximum maximumdesurveillances",
    ),
    Column::optional("absent", UNAVAILABLE),
    Column::optional(
        "not at",
        "notatexams forbiddenexams excludedexams ownexams nichtbei eigeneprüfungen ausgeschlosseneprüfungen",
    ),
    Column::optional("not with", "notwithcolleagues forbiddencolleagues excludedcolleagues nichtmit"),
];

/// Columns of the rules for the number of invigilators: students for each of whom one is needed, fewest in a room, chiefs, reserves,
/// most duties in a row.
pub(crate) const INVIGILATION: [Column; 5] = [
    Column::required(
        "students per invigilator",
        "studentsperinvigilator studierendejeaufsicht étudiantsparsurveillant",
    ),
    Column::optional("least per room", "leastinaroom minimumperroom mindestensjeraum minimumparsalle"),
    Column::optional("chief per", "chiefs chief leitungje leitung responsablepar"),
    Column::optional("reserves per period", "reserves reservejetermin reserven réserves"),
    Column::optional("most in a row", "consecutive hintereinander höchstenshintereinander consécutives"),
];

/// Columns of a table of arrangements: student, extra minutes, extra per cent, own room.
pub(crate) const ARRANGEMENTS: [Column; 4] = [
    STUDENT,
    Column::optional(
        "extra minutes",
        "extratimemin extratimeminutes additionalminutes zusatzminuten zeitzuschlagmin zeitzuschlagminuten \
         zeitzuschlaginminuten zusatzzeitmin minutessupplémentaires",
    ),
    Column::optional(
        "extra per cent",
        "extrapercent extratime extratimepercent additionaltime zeitzuschlag zeitzuschlagprozent zeitzuschlaginprozent \
         zusatzzeit zeitverlängerung schreibzeitverlängerung nachteilsausgleich tiersetemps tempssupplémentaire \
         παράταση",
    ),
    OWN_ROOM,
];

/// Columns of a table of students: code, name, first names, programme, e-mail address, personal code.
pub(crate) const STUDENTS: [Column; 6] = [
    STUDENT,
    Column::optional(
        "name",
        "surname lastname familyname fullname studentname nachname familienname nom nomdefamille apellido apellidos cognome \
         επώνυμο ονοματεπώνυμο",
    ),
    Column::optional(
        "first name",
        "firstname firstnames givenname givennames forename vorname vornamen prénom nombre nome όνομα",
    ),
    Column::optional(
        "programme",
        "program degree degreeprogramme studyprogramme course studiengang programm abschluss filière formation programa \
         corso πρόγραμμα πρόγραμμασπουδών τμήμα",
    ),
    EMAIL,
    Column::optional(
        "personal code",
        "accesscode passcode password pin persönlichercode zugangscode kennwort passwort codepersonnel motdepasse códigopersonal          contraseña codicepersonale προσωπικόςκωδικός",
    ),
];

/// As [`TITLES`]; in a table of exams, «name» can only be the title of an exam.
const EXAM_TITLES: &str = "\
    examtitle coursetitle moduletitle subjecttitle papertitle name examname coursename modulename subjectname \
    description titel modultitel modulname prüfungsname bezeichnung modulbezeichnung τίτλος τίτλοςμαθήματος ονομασία \
    όνομα όνομαμαθήματος περιγραφή titre intitulé libellé nom nomducours";

/// As in [`EXAM`]; in a table of exams, «code» is the best match.
const EXAM_CODES: &str = "\
    examcode coursecode modulecode subjectcode unitcode papercode exam examid examnumber examination course courseid \
    module moduleid modul modulnummer modulnr subject unit paper crn prüfung prüfungsnummer prüfungsnr klausur fach \
    κωδικός κωδικόςμαθήματος μάθημα εξέταση codeexamen codecours codemodule codematière codeue examen épreuve \
    matière cours ue id";

/// Columns of a table of periods: number, date, start, end, seats, penalty.
pub(crate) const PERIODS: [Column; 6] = [
    Column::optional("period", "number no nr slot timeslot session periode περίοδος période créneau"),
    Column::optional("date", "day datum tag examdate prüfungstag ημερομηνία ημέρα jour datetime"),
    Column::optional(
        "start",
        "starttime begin begins from time beginn von uhrzeit zeit έναρξη ώραέναρξης ώρα από début heuredébut heure \
         horaire",
    ),
    Column::optional("end", "endtime ends until to finish ende bis λήξη ώραλήξης έως fin heurefin"),
    Column::optional(
        "seats",
        "capacity places seatcount seating plätze sitzplätze kapazität θέσεις χωρητικότητα capacité sièges",
    ),
    PENALTY,
];

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_core::text::columns::guess;

    #[test]
    fn headers_in_four_languages_are_found() {
        for header in [
            ["Student ID", "Module code", "Course title"],
            ["Matrikel-Nr.", "Prüfungsnummer", "Bezeichnung"],
            ["Αριθμός Μητρώου", "Κωδικός μαθήματος", "Τίτλος"],
            ["Numéro étudiant", "Matière", "Intitulé"],
            ["SIS student number (8 digits)", "Exam code of the board", "Title of the module"],
        ] {
            let header = header.map(str::to_owned);
            assert_eq!(guess(&header, &ENROLMENTS), [Some(0), Some(1), Some(2)], "{header:?}");
        }
        for header in [["Datum", "Beginn", "Ende", "Plätze"], ["Date", "Heure début", "Heure fin", "Capacité"]] {
            let header = header.map(str::to_owned);
            assert_eq!(guess(&header, &PERIODS), [None, Some(0), Some(1), Some(2), Some(3), None], "{header:?}");
        }
    }

    #[test]
    fn headers_of_rooms_people_and_arrangements_are_found() {
        let found = |header: &[&str], wanted: &[Column]| {
            guess(&header.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), wanted)
        };
        let all = |count: usize| (0..count).map(Some).collect::<Vec<_>>();
        let rooms = [
            "Raum", "Kapazität", "Gebäude", "Ausstattung", "Strafpunkte", "Nur eine Prüfung", "Gesperrt", "Sitzplan",
            "Nachteilsausgleichsraum",
        ];
        assert_eq!(found(&rooms, &ROOMS), all(9));
        // The seats for exams come before those for lectures.
        assert_eq!(found(&["Saal", "Plätze", "Klausurplätze"], &ROOMS)[..2], [Some(0), Some(2)]);
        assert_eq!(found(&["Prüfer", "Abwesend"], &PEOPLE), all(2));
        assert_eq!(found(&["Aufsicht", "Klausur", "Verhindert"], &EXAMINERS), all(3));
        let arrangements = ["Matrikelnummer", "Zeitzuschlag (min)", "Nachteilsausgleich (%)", "Einzelraum"];
        assert_eq!(found(&arrangements, &ARRANGEMENTS), all(4));
        assert_eq!(found(&["Student", "Extra time"], &ARRANGEMENTS), [Some(0), None, Some(1), None]);
        let exams = ["Code", "Titel", "Dauer", "Eigener Raum", "Max. Räume", "Ausstattung", "Erlaubte Räume", "Plätze"];
        assert_eq!(found(&[&exams[..], &["Erstprüfer"]].concat(), &EXAMS), all(9));
    }

    #[test]
    fn no_column_serves_two_purposes() {
        let header = ["name", "minutes"].map(str::to_owned);
        let found = guess(&header, &EXAMS);
        assert_eq!(found[..3], [None, Some(0), Some(1)]);
    }
}
