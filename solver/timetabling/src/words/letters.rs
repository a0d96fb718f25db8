//! Texts of letters to students about changes, and of the stamp on documents of a timetable that is not feasible.

use gridwright_core::result::Violation;
use gridwright_core::text::language::{Language, Noun, Text};

pub(crate) const DEAR_NAMED: Text =
    Text(["Dear {},", "Guten Tag {},", "Bonjour {},", "Buenos días, {}:", "Buongiorno {},", "Καλημέρα σας, {},"]);
pub(crate) const DEAR: Text =
    Text(["Dear student,", "Guten Tag,", "Bonjour,", "Buenos días:", "Buongiorno,", "Καλημέρα σας,"]);
pub(crate) const LETTER_TEXT: Text = Text([
    "the examination timetable has changed since you were told it. Please note these changes of your examinations; all others remain as \
     they were.",
    "der Prüfungsplan hat sich geändert, seit er Ihnen mitgeteilt wurde. Bitte beachten Sie diese Änderungen Ihrer Prüfungen; alle \
     anderen bleiben, wie sie waren.",
    "le calendrier des examens a changé depuis qu'il vous a été communiqué. Veuillez noter ces changements de vos examens ; tous les \
     autres restent inchangés.",
    "el calendario de exámenes ha cambiado desde que se le comunicó. Tenga en cuenta estos cambios de sus exámenes; todos los demás \
     siguen igual.",
    "il calendario degli esami è cambiato da quando le è stato comunicato. Prenda nota di queste modifiche dei suoi esami; tutti gli \
     altri restano invariati.",
    "το πρόγραμμα εξετάσεων άλλαξε από τότε που σας γνωστοποιήθηκε. Σημειώστε τις παρακάτω αλλαγές στις εξετάσεις σας· όλες οι άλλες \
     μένουν όπως ήταν.",
]);
pub(crate) const REGARDS: Text = Text([
    "Kind regards, the examination office",
    "Mit freundlichen Grüßen, das Prüfungsamt",
    "Cordialement, le service des examens",
    "Atentamente, la oficina de exámenes",
    "Cordiali saluti, l'ufficio esami",
    "Με εκτίμηση, η γραμματεία εξετάσεων",
]);

const NOT_FEASIBLE: Text = Text([
    "Not feasible: {}", "Nicht durchführbar: {}", "Non réalisable : {}", "No realizable: {}", "Non realizzabile: {}",
    "Μη εφικτό: {}",
]);

/// Kinds of violations that the stamp counts apart; the others are counted together.
const KINDS: [(&str, Noun); 6] = [
    (
        "clash",
        Noun {
            one: Text(["clash", "Überschneidung", "chevauchement", "coincidencia", "sovrapposizione", "σύγκρουση"]),
            many: Text([
                "clashes", "Überschneidungen", "chevauchements", "coincidencias", "sovrapposizioni", "συγκρούσεις",
            ]),
        },
    ),
    (
        "unplaced",
        Noun {
            one: Text([
                "exam without a period",
                "Prüfung ohne Zeitfenster",
                "examen sans créneau",
                "examen sin turno",
                "esame senza fascia",
                "εξέταση χωρίς περίοδο",
            ]),
            many: Text([
                "exams without a period",
                "Prüfungen ohne Zeitfenster",
                "examens sans créneau",
                "exámenes sin turno",
                "esami senza fascia",
                "εξετάσεις χωρίς περίοδο",
            ]),
        },
    ),
    (
        "duration",
        Noun {
            one: Text([
                "exam longer than its period",
                "Prüfung länger als ihr Zeitfenster",
                "examen plus long que son créneau",
                "examen más largo que su turno",
                "esame più lungo della sua fascia",
                "εξέταση μεγαλύτερη από την περίοδό της",
            ]),
            many: Text([
                "exams longer than their periods",
                "Prüfungen länger als ihr Zeitfenster",
                "examens plus longs que leurs créneaux",
                "exámenes más largos que sus turnos",
                "esami più lunghi delle loro fasce",
                "εξετάσεις μεγαλύτερες από τις περιόδους τους",
            ]),
        },
    ),
    (
        "seats",
        Noun {
            one: Text([
                "period without enough seats",
                "Zeitfenster ohne genug Plätze",
                "créneau sans assez de places",
                "turno sin asientos suficientes",
                "fascia senza posti sufficienti",
                "περίοδος χωρίς αρκετές θέσεις",
            ]),
            many: Text([
                "periods without enough seats",
                "Zeitfenster ohne genug Plätze",
                "créneaux sans assez de places",
                "turnos sin asientos suficientes",
                "fasce senza posti sufficienti",
                "περίοδοι χωρίς αρκετές θέσεις",
            ]),
        },
    ),
    (
        "unseated",
        Noun {
            one: Text([
                "exam with students without a seat",
                "Prüfung mit Studierenden ohne Platz",
                "examen avec des étudiants sans place",
                "examen con estudiantes sin asiento",
                "esame con studenti senza posto",
                "εξέταση με φοιτητές χωρίς θέση",
            ]),
            many: Text([
                "exams with students without a seat",
                "Prüfungen mit Studierenden ohne Platz",
                "examens avec des étudiants sans place",
                "exámenes con estudiantes sin asiento",
                "esami con studenti senza posto",
                "εξετάσεις με φοιτητές χωρίς θέση",
            ]),
        },
    ),
    (
        "overfull",
        Noun {
            one: Text([
                "overfull room", "überfüllter Raum", "salle surchargée", "aula con exceso", "aula sovraffollata",
                "υπερπλήρης αίθουσα",
            ]),
            many: Text([
                "overfull rooms",
                "überfüllte Räume",
                "salles surchargées",
                "aulas con exceso",
                "aule sovraffollate",
                "υπερπλήρεις αίθουσες",
            ]),
        },
    ),
];

const OTHERS: Noun = Noun {
    one: Text([
        "other violation", "weiterer Verstoß", "autre infraction", "otro incumplimiento", "altra violazione",
        "άλλη παραβίαση",
    ]),
    many: Text([
        "other violations", "weitere Verstöße", "autres infractions", "otros incumplimientos", "altre violazioni",
        "άλλες παραβιάσεις",
    ]),
};

/// The line of the stamp in a language: «Nicht durchführbar: 1 überfüllter Raum».
pub(crate) fn not_feasible<K: AsRef<str>>(violations: &[Violation<K>], language: Language) -> String {
    let of = |kind: &str| violations.iter().filter(|violation| violation.kind.as_ref() == kind).count();
    let counts = KINDS.map(|(kind, noun)| (of(kind), noun));
    let others = violations.len() - counts.iter().map(|(count, _)| count).sum::<usize>();
    let parts = counts.into_iter().chain([(others, OTHERS)]).filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, noun)| noun.counted(count as u64, language)).collect();
    NOT_FEASIBLE.with(language, &[&parts.join(", ")])
}
