//! Texts of documents that are handed on, in every language: notice boards, sheets for doors, registers, letters, calendars and the
//! page for students. Each has its languages in the order of [`Language`].

pub(crate) mod letters;

use gridwright_core::text::language::{Language, Noun, Text};

pub(crate) const EXAMS_COUNTED: Noun = Noun {
    one: Text(["exam", "Prüfung", "examen", "examen", "esame", "εξέταση"]),
    many: Text(["exams", "Prüfungen", "examens", "exámenes", "esami", "εξετάσεις"]),
};
pub(crate) const STUDENTS_COUNTED: Noun = Noun {
    one: Text(["student", "Studierende/r", "étudiant", "estudiante", "studente", "φοιτητής"]),
    many: Text(["students", "Studierende", "étudiants", "estudiantes", "studenti", "φοιτητές"]),
};
pub(crate) const DUTIES_COUNTED: Noun = Noun {
    one: Text(["duty", "Aufsicht", "surveillance", "vigilancia", "turno", "επιτήρηση"]),
    many: Text(["duties", "Aufsichten", "surveillances", "vigilancias", "turni", "επιτηρήσεις"]),
};

// Words of tables and lists.

pub(crate) const BUILDING: Text = Text(["Building", "Gebäude", "Bâtiment", "Edificio", "Edificio", "Κτίριο"]);
pub(crate) const DATE: Text = Text(["Date", "Datum", "Date", "Fecha", "Data", "Ημερομηνία"]);
pub(crate) const DUTY: Text = Text(["Duty", "Aufgabe", "Fonction", "Función", "Compito", "Καθήκον"]);
pub(crate) const EXAM: Text = Text(["Exam", "Prüfung", "Examen", "Examen", "Esame", "Εξέταση"]);
pub(crate) const EXAMINER: Text = Text(["Examiner", "Prüfende", "Examinateur", "Examinador", "Docente", "Εξεταστής"]);
pub(crate) const EXAMINERS: Text =
    Text(["Examiners", "Prüfende", "Examinateurs", "Examinadores", "Docenti", "Εξεταστές"]);
pub(crate) const EXAMS: Text = Text(["Exams", "Prüfungen", "Examens", "Exámenes", "Esami", "Εξετάσεις"]);
pub(crate) const EXTRA_TIME: Text =
    Text(["Extra time", "Zeitzugabe", "Temps majoré", "Tiempo adicional", "Tempo aggiuntivo", "Πρόσθετος χρόνος"]);
pub(crate) const INVIGILATORS: Text =
    Text(["Invigilators", "Aufsichten", "Surveillants", "Vigilantes", "Sorveglianti", "Επιτηρητές"]);
pub(crate) const MATERIAL: Text = Text(["Material", "Material", "Matériel", "Material", "Materiale", "Υλικό"]);
pub(crate) const NAME: Text = Text(["Name", "Name", "Nom", "Nombre", "Nome", "Όνομα"]);
pub(crate) const PAPERS: Text = Text(["Papers", "Bögen", "Sujets", "Copias", "Copie", "Φύλλα"]);
pub(crate) const ROOM: Text = Text(["Room", "Raum", "Salle", "Aula", "Aula", "Αίθουσα"]);
pub(crate) const ROOMS: Text = Text(["Rooms", "Räume", "Salles", "Aulas", "Aule", "Αίθουσες"]);
pub(crate) const SIGNATURE: Text = Text(["Signature", "Unterschrift", "Signature", "Firma", "Firma", "Υπογραφή"]);
pub(crate) const STUDENT: Text = Text(["Student", "Studierende", "Étudiant", "Estudiante", "Studente", "Φοιτητής"]);
pub(crate) const STUDENTS: Text = Text(["Students", "Studierende", "Étudiants", "Estudiantes", "Studenti", "Φοιτητές"]);
pub(crate) const TIME: Text = Text(["Time", "Zeit", "Heure", "Hora", "Ora", "Ώρα"]);

// Times and places.

pub(crate) const IN_PERIOD: Text =
    Text(["period {}", "Zeitfenster {}", "créneau {}", "turno {}", "fascia {}", "περίοδος {}"]);
pub(crate) const PERIOD: Text =
    Text(["Period {}", "Zeitfenster {}", "Créneau {}", "Turno {}", "Fascia {}", "Περίοδος {}"]);
pub(crate) const UNTIL: Text = Text(["until {}", "bis {}", "jusqu'à {}", "hasta las {}", "fino alle {}", "έως {}"]);
pub(crate) const FROM: Text = Text(["from {}", "ab {}", "à partir de {}", "desde las {}", "dalle {}", "από {}"]);
pub(crate) const IN_ROOM: Text = Text(["Room {}", "Raum {}", "Salle {}", "Aula {}", "Aula {}", "Αίθουσα {}"]);
pub(crate) const IN_ROOMS: Text =
    Text(["Rooms: {}", "Räume: {}", "Salles : {}", "Aulas: {}", "Aule: {}", "Αίθουσες: {}"]);
pub(crate) const OF_ROOM: Text = Text(["Room: {}", "Raum: {}", "Salle : {}", "Aula: {}", "Aula: {}", "Αίθουσα: {}"]);
pub(crate) const WITHOUT_DATES: Text =
    Text(["Without dates", "Ohne Datum", "Sans dates", "Sin fechas", "Senza date", "Χωρίς ημερομηνίες"]);
pub(crate) const WITHOUT_PERIOD: Text =
    Text(["Without a period", "Ohne Zeitfenster", "Sans créneau", "Sin turno", "Senza fascia", "Χωρίς περίοδο"]);
pub(crate) const NO_PERIOD: Text =
    Text(["No period", "Kein Termin", "Sans créneau", "Sin turno", "Senza fascia", "Χωρίς περίοδο"]);
pub(crate) const MINUTES: Text =
    Text(["{} minutes", "{} Minuten", "{} minutes", "{} minutos", "{} minuti", "{} λεπτά"]);
pub(crate) const PLUS_MINUTES: Text = Text(["+{} min", "+{} Min.", "+{} min", "+{} min", "+{} min", "+{} λ."]);
pub(crate) const EXTRA_MINUTES: Text = Text([
    "{} minutes of extra time",
    "{} Minuten Zeitzugabe",
    "{} minutes de temps supplémentaire",
    "{} minutos de tiempo adicional",
    "{} minuti di tempo aggiuntivo",
    "{} λεπτά πρόσθετου χρόνου",
]);
pub(crate) const NO_SEAT: Text = Text([
    "no seat yet", "noch kein Platz", "pas encore de place", "aún sin sitio", "ancora senza posto", "χωρίς θέση ακόμη",
]);
pub(crate) const SEAT: Text = Text(["Seat", "Platz", "Place", "Asiento", "Posto", "Θέση"]);
pub(crate) const SEAT_IN: Text =
    Text(["{}, seat {}", "{}, Platz {}", "{}, place {}", "{}, asiento {}", "{}, posto {}", "{}, θέση {}"]);
pub(crate) const FRONT: Text = Text(["Front", "Vorne", "Devant", "Delante", "Davanti", "Μπροστά"]);
pub(crate) const CONTINUED: Text =
    Text(["{} (continued)", "{} (Fortsetzung)", "{} (suite)", "{} (continuación)", "{} (segue)", "{} (συνέχεια)"]);

// Headings and sentences of printed documents.

pub(crate) const TIMETABLE_OF: Text = Text([
    "{}: examination timetable",
    "{}: Prüfungsplan",
    "{} : calendrier des examens",
    "{}: calendario de exámenes",
    "{}: calendario degli esami",
    "{}: πρόγραμμα εξετάσεων",
]);
pub(crate) const BY_PERIOD: Text = Text([
    "{}: exams by period",
    "{}: Prüfungen nach Zeitfenstern",
    "{} : examens par créneau",
    "{}: exámenes por turno",
    "{}: esami per fascia",
    "{}: εξετάσεις ανά περίοδο",
]);
pub(crate) const OTHER_EXAMS: Text =
    Text(["Other exams", "Weitere Prüfungen", "Autres examens", "Otros exámenes", "Altri esami", "Άλλες εξετάσεις"]);
pub(crate) const OVERVIEW: Text =
    Text(["Overview", "Übersicht", "Vue d'ensemble", "Resumen", "Panoramica", "Επισκόπηση"]);
pub(crate) const RESERVED: Text = Text([
    "Reserved for an examination",
    "Für eine Prüfung reserviert",
    "Réservée pour un examen",
    "Reservada para un examen",
    "Riservata a un esame",
    "Δεσμευμένη για εξέταση",
]);
pub(crate) const SIGNED: Text = Text([
    "Present: ______   Absent: ______   Papers collected: ______   Invigilator:",
    "Anwesend: ______   Abwesend: ______   Eingesammelt: ______   Aufsicht:",
    "Présents : ______   Absents : ______   Copies remises : ______   Surveillant :",
    "Presentes: ______   Ausentes: ______   Exámenes recogidos: ______   Vigilante:",
    "Presenti: ______   Assenti: ______   Compiti ritirati: ______   Sorvegliante:",
    "Παρόντες: ______   Απόντες: ______   Γραπτά: ______   Επιτηρητής:",
]);
pub(crate) const PAPERS_OF: Text =
    Text(["Papers: {}", "Prüfungsbögen: {}", "Sujets : {}", "Copias: {}", "Copie: {}", "Φύλλα: {}"]);
pub(crate) const RESERVE: Text = Text([
    "With one paper in reserve for every {} students, at least one.",
    "Mit einem Bogen Reserve je {} Studierende, mindestens einem.",
    "Avec un sujet de réserve pour {} étudiants, au moins un.",
    "Con una copia de reserva por cada {} estudiantes, al menos una.",
    "Con una copia di riserva ogni {} studenti, almeno una.",
    "Με ένα εφεδρικό φύλλο ανά {} φοιτητές, τουλάχιστον ένα.",
]);
pub(crate) const CONFIDENTIAL: Text = Text([
    "CONFIDENTIAL, not for posting · {}",
    "VERTRAULICH, nicht aushängen · {}",
    "CONFIDENTIEL, ne pas afficher · {}",
    "CONFIDENCIAL, no exponer · {}",
    "RISERVATO, non affiggere · {}",
    "ΕΜΠΙΣΤΕΥΤΙΚΟ, να μην αναρτηθεί · {}",
]);
pub(crate) const MADE_WITH: Text = Text([
    "{} · made with Gridwright",
    "{} · erstellt mit Gridwright",
    "{} · réalisé avec Gridwright",
    "{} · hecho con Gridwright",
    "{} · realizzato con Gridwright",
    "{} · δημιουργήθηκε με το Gridwright",
]);
pub(crate) const PAGE: Text = Text([
    "Page {} of {}", "Seite {} von {}", "Page {} sur {}", "Página {} de {}", "Pagina {} di {}", "Σελίδα {} από {}",
]);

// Changes since publication.

pub(crate) const BEFORE: Text = Text(["Before", "Bisher", "Avant", "Antes", "Prima", "Πριν"]);
pub(crate) const NOW: Text = Text(["Now", "Jetzt", "Maintenant", "Ahora", "Ora", "Τώρα"]);
pub(crate) const CHANGE: Text = Text(["Change", "Änderung", "Changement", "Cambio", "Modifica", "Αλλαγή"]);
pub(crate) const CHANGES_OF: Text =
    Text(["Changes: {}", "Änderungen: {}", "Changements : {}", "Cambios: {}", "Modifiche: {}", "Αλλαγές: {}"]);
pub(crate) const NOTHING_CHANGED: Text = Text([
    "Nothing has changed since publication",
    "Seit der Veröffentlichung hat sich nichts geändert",
    "Rien n'a changé depuis la publication",
    "Nada ha cambiado desde la publicación",
    "Nulla è cambiato dalla pubblicazione",
    "Τίποτα δεν άλλαξε από τη δημοσίευση",
]);
pub(crate) const YOURS_CHANGED: Text = Text([
    "Your examinations have changed",
    "Ihre Prüfungen haben sich geändert",
    "Vos examens ont changé",
    "Sus exámenes han cambiado",
    "I suoi esami sono cambiati",
    "Οι εξετάσεις σας άλλαξαν",
]);
pub(crate) const LETTER_TO: Text =
    Text(["Letter: {}", "Brief: {}", "Lettre : {}", "Carta: {}", "Lettera: {}", "Επιστολή: {}"]);
pub(crate) const RESERVED_CELL: Text = Text([
    "reserved for an examination",
    "für eine Prüfung reserviert",
    "réservée pour un examen",
    "reservada para un examen",
    "riservata a un esame",
    "δεσμευμένη για εξέταση",
]);
pub(crate) const OWN_LETTER: Text =
    Text(["see letter", "siehe Brief", "voir la lettre", "véase la carta", "vedi lettera", "βλ. επιστολή"]);

pub(crate) const NEW: Text = Text(["new", "neu", "nouveau", "nuevo", "nuovo", "νέα"]);
pub(crate) const CANCELLED: Text = Text(["cancelled", "entfällt", "annulé", "anulado", "annullato", "ακυρώθηκε"]);
pub(crate) const OTHER_END: Text =
    Text(["other end", "anderes Ende", "autre fin", "otro final", "altra fine", "άλλη λήξη"]);
pub(crate) const OTHER_TIME: Text =
    Text(["other time", "andere Zeit", "autre horaire", "otra hora", "altro orario", "άλλη ώρα"]);
pub(crate) const OTHER_ROOM: Text =
    Text(["other room", "anderer Raum", "autre salle", "otra aula", "altra aula", "άλλη αίθουσα"]);
pub(crate) const OTHER_SEAT: Text =
    Text(["other seat", "anderer Platz", "autre place", "otro asiento", "altro posto", "άλλη θέση"]);
pub(crate) const OTHER_TIME_AND_ROOM: Text = Text([
    "other time and room", "andere Zeit, anderer Raum", "autre horaire et autre salle", "otra hora y otra aula",
    "altro orario e altra aula", "άλλη ώρα και αίθουσα",
]);

// Students of a room among those of an exam.

pub(crate) const UP_TO: Text = Text(["up to {}", "bis {}", "jusqu'à {}", "hasta {}", "fino a {}", "έως {}"]);
pub(crate) const BEGINNING: Text = Text(["from {}", "ab {}", "à partir de {}", "desde {}", "da {}", "από {}"]);
pub(crate) const ALL_OTHERS: Text =
    Text(["all others", "alle anderen", "tous les autres", "todos los demás", "tutti gli altri", "όλοι οι υπόλοιποι"]);
pub(crate) const NUMBER: Text = Text(["number {}", "Nummer {}", "numéro {}", "número {}", "numero {}", "αριθμός {}"]);
pub(crate) const NUMBERS: Text =
    Text(["numbers {}", "Nummern {}", "numéros {}", "números {}", "numeri {}", "αριθμοί {}"]);

// Duties.

pub(crate) const NOBODY_ASSIGNED: Text = Text([
    "No invigilators are assigned.",
    "Es sind keine Aufsichten eingeteilt.",
    "Aucun surveillant n'est désigné.",
    "No hay vigilantes asignados.",
    "Nessun sorvegliante è assegnato.",
    "Δεν έχουν οριστεί επιτηρητές.",
]);
pub(crate) const NOBODY_YET: Text =
    Text(["nobody yet", "noch niemand", "personne encore", "aún nadie", "ancora nessuno", "κανείς ακόμη"]);
pub(crate) const INVIGILATORS_ON: Text = Text([
    "Invigilators: {}", "Aufsichten: {}", "Surveillants : {}", "Vigilantes: {}", "Sorveglianti: {}", "Επιτηρητές: {}",
]);
pub(crate) const INVIGILATION: Text = Text([
    "Invigilation: {}", "Aufsicht: {}", "Surveillance : {}", "Vigilancia: {}", "Sorveglianza: {}", "Επιτήρηση: {}",
]);
pub(crate) const EXAMS_OF: Text =
    Text(["Exams: {}", "Prüfungen: {}", "Examens : {}", "Exámenes: {}", "Esami: {}", "Εξετάσεις: {}"]);
pub(crate) const ROOM_DUTY: Text = Text(["room {}", "Raum {}", "salle {}", "aula {}", "aula {}", "αίθουσα {}"]);
pub(crate) const CHIEF: Text = Text(["chief", "Leitung", "responsable", "responsable", "responsabile", "υπεύθυνος"]);
pub(crate) const CHIEF_OF: Text =
    Text(["chief, {}", "Leitung, {}", "responsable, {}", "responsable, {}", "responsabile, {}", "υπεύθυνος, {}"]);
pub(crate) const RESERVE_DUTY: Text = Text(["reserve", "Reserve", "réserve", "reserva", "riserva", "εφεδρεία"]);

/// A period by its number from 0: «Zeitfenster 3».
pub(crate) fn period(period: usize, language: Language) -> String {
    PERIOD.with(language, &[&(period + 1).to_string()])
}

/// Texts of the page for students, each under the name by which the page asks for it.
pub(crate) const ON_PAGE: [(&str, Text); 15] = [
    (
        "show",
        Text([
            "Show my exams", "Meine Prüfungen zeigen", "Afficher mes examens", "Mostrar mis exámenes",
            "Mostra i miei esami", "Οι εξετάσεις μου",
        ]),
    ),
    (
        "nothing_leaves",
        Text([
            "Nothing that you enter leaves this device.",
            "Nichts, was Sie eingeben, verlässt dieses Gerät.",
            "Rien de ce que vous saisissez ne quitte cet appareil.",
            "Nada de lo que escriba sale de este dispositivo.",
            "Nulla di ciò che inserisce lascia questo dispositivo.",
            "Ό,τι πληκτρολογείτε δεν φεύγει από αυτήν τη συσκευή.",
        ]),
    ),
    (
        "calendar",
        Text([
            "Add to my calendar",
            "In meinen Kalender",
            "Ajouter à mon agenda",
            "Añadir a mi calendario",
            "Aggiungi al mio calendario",
            "Προσθήκη στο ημερολόγιο",
        ]),
    ),
    ("print", Text(["Print", "Drucken", "Imprimer", "Imprimir", "Stampa", "Εκτύπωση"])),
    ("hide", Text(["Hide", "Ausblenden", "Masquer", "Ocultar", "Nascondi", "Απόκρυψη"])),
    (
        "no_scripts",
        Text([
            "Without scripts this page shows the whole timetable only. Your room is at the notice board.",
            "Ohne Skripte zeigt diese Seite nur den ganzen Plan. Ihr Raum steht am Aushang.",
            "Sans scripts, cette page n'affiche que le calendrier complet. Votre salle est indiquée au tableau d'affichage.",
            "Sin scripts esta página solo muestra el calendario completo. Su aula está en el tablón de anuncios.",
            "Senza script questa pagina mostra solo il calendario completo. La sua aula è in bacheca.",
            "Χωρίς σενάρια η σελίδα δείχνει μόνο ολόκληρο το πρόγραμμα. Η αίθουσά σας είναι στον πίνακα ανακοινώσεων.",
        ]),
    ),
    (
        "whole",
        Text([
            "Whole timetable",
            "Ganzer Plan",
            "Calendrier complet",
            "Calendario completo",
            "Calendario completo",
            "Ολόκληρο το πρόγραμμα",
        ]),
    ),
    ("room", IN_ROOM),
    (
        "no_room",
        Text([
            "No room yet; ask the examination office",
            "Noch kein Raum; fragen Sie das Prüfungsamt",
            "Pas encore de salle ; demandez au service des examens",
            "Aún sin aula; pregunte a la oficina de exámenes",
            "Ancora nessuna aula; chieda all'ufficio esami",
            "Χωρίς αίθουσα ακόμη· ρωτήστε τη γραμματεία εξετάσεων",
        ]),
    ),
    (
        "extra",
        Text([
            "{} minutes of extra time are included",
            "{} Minuten Zeitzugabe sind enthalten",
            "{} minutes de temps supplémentaire sont incluses",
            "Se incluyen {} minutos de tiempo adicional",
            "Sono compresi {} minuti di tempo aggiuntivo",
            "Περιλαμβάνονται {} λεπτά πρόσθετου χρόνου",
        ]),
    ),
    (
        "no_date",
        Text([
            "No exam of yours has a date yet; ask the examination office.",
            "Noch keine Ihrer Prüfungen hat einen Termin; fragen Sie das Prüfungsamt.",
            "Aucun de vos examens n'a encore de date ; demandez au service des examens.",
            "Ninguno de sus exámenes tiene fecha aún; pregunte a la oficina de exámenes.",
            "Nessuno dei suoi esami ha ancora una data; chieda all'ufficio esami.",
            "Καμία εξέτασή σας δεν έχει ακόμη ημερομηνία· ρωτήστε τη γραμματεία εξετάσεων.",
        ]),
    ),
    (
        "insecure",
        Text([
            "This address is not secure (https), so that this page cannot open your exams. Ask the examination office for the address that begins with https.",
            "Diese Adresse ist nicht sicher (https), darum kann die Seite Ihre Prüfungen nicht öffnen. Fragen Sie das Prüfungsamt nach der Adresse, die mit https beginnt.",
            "Cette adresse n'est pas sécurisée (https) : la page ne peut pas ouvrir vos examens. Demandez au service des examens l'adresse qui commence par https.",
            "Esta dirección no es segura (https) y la página no puede abrir sus exámenes. Pida a la oficina de exámenes la dirección que empieza por https.",
            "Questo indirizzo non è sicuro (https) e la pagina non può aprire i suoi esami. Chieda all'ufficio esami l'indirizzo che inizia con https.",
            "Η διεύθυνση δεν είναι ασφαλής (https) και η σελίδα δεν μπορεί να ανοίξει τις εξετάσεις σας. Ζητήστε από τη γραμματεία τη διεύθυνση που αρχίζει με https.",
        ]),
    ),
    ("looking", Text(["Looking …", "Wird gesucht …", "Recherche …", "Buscando …", "Ricerca …", "Αναζήτηση …"])),
    (
        "unknown",
        Text([
            "Nothing is stored for this entry. Check it for typing errors, or ask the examination office.",
            "Zu dieser Eingabe ist nichts gespeichert. Prüfen Sie sie auf Tippfehler oder fragen Sie das Prüfungsamt.",
            "Rien n'est enregistré pour cette saisie. Vérifiez les fautes de frappe ou demandez au service des examens.",
            "No hay nada guardado para esta entrada. Compruebe si hay errores o pregunte a la oficina de exámenes.",
            "Nessun dato per questa voce. Controlli gli errori di battitura o chieda all'ufficio esami.",
            "Δεν υπάρχει κάτι για αυτήν την καταχώριση. Ελέγξτε για λάθη ή ρωτήστε τη γραμματεία εξετάσεων.",
        ]),
    ),
    (
        "failed",
        Text([
            "Your exams could not be opened. Load the page again, or ask the examination office.",
            "Ihre Prüfungen konnten nicht geöffnet werden. Laden Sie die Seite neu oder fragen Sie das Prüfungsamt.",
            "Vos examens n'ont pas pu être ouverts. Rechargez la page ou demandez au service des examens.",
            "No se pudieron abrir sus exámenes. Vuelva a cargar la página o pregunte a la oficina de exámenes.",
            "Non è stato possibile aprire i suoi esami. Ricarichi la pagina o chieda all'ufficio esami.",
            "Οι εξετάσεις σας δεν άνοιξαν. Φορτώστε ξανά τη σελίδα ή ρωτήστε τη γραμματεία εξετάσεων.",
        ]),
    ),
];

/// Label of the entry of the page, and what it protects: for numbers, for personal codes, and for both.
pub(crate) const ENTRIES: [[Text; 2]; 3] = [
    [
        Text([
            "Your student number",
            "Ihre Matrikelnummer",
            "Votre numéro d'étudiant",
            "Su número de estudiante",
            "Il suo numero di matricola",
            "Ο αριθμός μητρώου σας",
        ]),
        Text([
            "Whoever knows your number can see your exams here.",
            "Wer Ihre Nummer kennt, kann hier Ihre Prüfungen sehen.",
            "Quiconque connaît votre numéro peut voir vos examens ici.",
            "Quien conozca su número puede ver aquí sus exámenes.",
            "Chi conosce il suo numero può vedere qui i suoi esami.",
            "Όποιος γνωρίζει τον αριθμό σας μπορεί να δει εδώ τις εξετάσεις σας.",
        ]),
    ],
    [
        Text([
            "Your personal code",
            "Ihr persönlicher Code",
            "Votre code personnel",
            "Su código personal",
            "Il suo codice personale",
            "Ο προσωπικός κωδικός σας",
        ]),
        Text([
            "Your exams can be seen here with your personal code only; keep it to yourself.",
            "Ihre Prüfungen sind hier nur mit Ihrem persönlichen Code zu sehen; behalten Sie ihn für sich.",
            "Vos examens ne sont visibles ici qu'avec votre code personnel ; gardez-le pour vous.",
            "Sus exámenes solo se ven aquí con su código personal; no lo comparta.",
            "I suoi esami si vedono qui solo con il suo codice personale; lo tenga per sé.",
            "Οι εξετάσεις σας φαίνονται εδώ μόνο με τον προσωπικό κωδικό σας· μην τον δίνετε σε άλλους.",
        ]),
    ],
    [
        Text([
            "Your personal code, or your number if you have none",
            "Ihr persönlicher Code oder, ohne einen solchen, Ihre Nummer",
            "Votre code personnel, ou votre numéro si vous n'en avez pas",
            "Su código personal o, si no tiene, su número",
            "Il suo codice personale o, se non ne ha uno, il suo numero",
            "Ο προσωπικός κωδικός σας ή, αν δεν έχετε, ο αριθμός σας",
        ]),
        Text([
            "Whoever knows your code, or your number if you have no code, can see your exams here.",
            "Wer Ihren Code kennt oder, wenn Sie keinen haben, Ihre Nummer, kann hier Ihre Prüfungen sehen.",
            "Quiconque connaît votre code, ou votre numéro si vous n'avez pas de code, peut voir vos examens ici.",
            "Quien conozca su código, o su número si no tiene código, puede ver aquí sus exámenes.",
            "Chi conosce il suo codice, o il suo numero se non ha un codice, può vedere qui i suoi esami.",
            "Όποιος γνωρίζει τον κωδικό σας ή, αν δεν έχετε, τον αριθμό σας μπορεί να δει εδώ τις εξετάσεις σας.",
        ]),
    ],
];

pub(crate) const AS_OF: Text = Text(["as of {}", "Stand {}", "état au {}", "a {}", "al {}", "έως {}"]);
pub(crate) const TIMES_OF: Text =
    Text(["times of {}", "Zeiten von {}", "heures de {}", "horas de {}", "orari di {}", "ώρες {}"]);
