//! Columns of tables, recognised by their usual names in English, German, Greek and French.

pub use crate::text::columns::Column;

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
    "examcode examid examnumber examno exams examination examinationcode prüfung prüfungsnummer prüfungsnr klausur \
     course coursecode courseid courseno module modulecode moduleid modul modulnummer modulnr lehrveranstaltung \
     lvnummer fach subject subjectcode unit unitcode paper papercode crn μάθημα κωδικόςμαθήματος κωδμαθήματος εξέταση \
     examen codeexamen épreuve matière codematière codemodule codecours cours ue codeue code κωδικός",
);

const TITLES: &str = "\
    examtitle coursetitle moduletitle subjecttitle papertitle examname coursename modulename subjectname description \
    titel modultitel modulname prüfungsname bezeichnung modulbezeichnung τίτλος τίτλοςμαθήματος ονομασία \
    όνομαμαθήματος περιγραφή titre intitulé libellé nomducours";

/// Columns of an enrolment table; a title may stand beside the exam.
pub(in crate::timetabling) const ENROLMENTS: [Column; 3] = [STUDENT, EXAM, Column::optional("title", TITLES)];

/// Columns of a table of exams: code, title and duration.
pub(in crate::timetabling) const EXAMS: [Column; 3] = [
    Column::required("code", EXAM_CODES),
    Column::optional("title", EXAM_TITLES),
    Column::optional(
        "duration",
        "minutes durationminutes durationmin durationmins examduration length mins dauer dauermin dauerinminuten \
         prüfungsdauer minuten διάρκεια λεπτά durée duréeminutes duréemin",
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

/// Columns of a table of periods: number, date, start, end, seats.
pub(in crate::timetabling) const PERIODS: [Column; 5] = [
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
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::columns::guess;

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
            assert_eq!(guess(&header, &PERIODS), [None, Some(0), Some(1), Some(2), Some(3)], "{header:?}");
        }
    }

    #[test]
    fn no_column_serves_two_purposes() {
        let header = ["name", "minutes"].map(str::to_owned);
        let found = guess(&header, &EXAMS);
        assert_eq!(found, [None, Some(0), Some(1)]);
    }
}
