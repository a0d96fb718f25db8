//! Headings of tables of jobs: columns that are recognised, and headings that hardly name a machine.

use gridwright_core::text::columns::{Column, find, plain};

/// Column of the names of jobs.
pub(super) const JOB: Column = Column::required(
    "job",
    "jobs jobname jobid jobnumber jobno jobnr order orders ordername orderid ordernumber orderno ordernr auftrag aufträge \
     auftragsnummer auftragsnr fertigungsauftrag arbeitsauftrag workorder workorderno εργασία παραγγελία \
     αριθμόςπαραγγελίας tâche commande ordredefabrication",
);

/// Columns that are not machines.
pub(super) const COLUMNS: [Column; 3] = [
    JOB,
    Column::optional(
        "due date",
        "due deadline duedate termin liefertermin fällig fälligkeit προθεσμία ημερομηνίαπαράδοσης échéance datedelivraison",
    ),
    Column::optional("release date", "release releasedate readydate ready freigabe freigabetermin"),
];

/// Parts of headings, as [`plain`] writes them, that no machine is expected to have.
const PARTS: &str = "quantit menge stuckzahl anzahl ποσοτητα τεμαχια priorit prioritat προτεραιοτητα setup changeover rustzeit \
                     ruestzeit umrust weight gewicht poids βαρος customer kunden client πελατης remark bemerk comment \
                     kommentar remarque σχολι παρατηρ description beschreibung bezeichnung περιγραφη batchsize lotsize \
                     losgross releasedate earliest freigabe duedate deadline liefertermin falligkeit προθεσμια echeance \
                     tardiness verspatung";

/// Words of headings, as [`plain`] writes them, that no machine is expected to have.
const WORDS: &str = "qty amount count pieces pcs units lot batch size los prio rank kunde note notes notiz notizen price preis \
                     prix τιμη cost costs kosten cout value wert revenue profit item article artikel product produkt \
                     produit material due date datum ημερομηνια total sum summe gesamt σύνολο";

/// Headings, as [`plain`] writes them, that no machine is expected to have.
const WHOLE: &str = "no nr number nummer id index pos position name title titel text code type typ class klasse group gruppe \
                     family familie category kategorie status state operator start begin end ende time zeit duration dauer \
                     day tag week woche month monat comment info";

/// Mark before the name of a machine or job that could be taken for something else, as in `machine: weight`.
pub(super) const MACHINE_MARK: &str = "machine:";
pub(super) const JOB_MARK: &str = "job:";

/// The name behind a mark; `None` if the text has no mark.
pub(super) fn unmarked<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    let (start, name) = text.split_at_checked(mark.len())?;
    start.eq_ignore_ascii_case(mark).then(|| name.strip_prefix(' ').unwrap_or(name))
}

/// A name with the mark that it needs to be read back: `is_doubtful` if it could be taken for something else.
pub(super) fn marked(name: &str, mark: &str, is_doubtful: bool) -> String {
    if is_doubtful || unmarked(name, mark).is_some() { format!("{mark} {name}") } else { name.to_owned() }
}

/// Returns `true` if a machine of this name needs a mark.
pub(super) fn is_doubtful(machine: &str) -> bool {
    is_no_machine(machine) || find(std::iter::once(machine), &COLUMNS).iter().any(Option::is_some)
}

/// Returns `true` if a heading hardly names a machine: `Quantity`, `Setup time (min)`, `Priorität`. A unit in brackets
/// does not count, and [`MACHINE_MARK`] leaves no doubt.
pub(super) fn is_no_machine(heading: &str) -> bool {
    if unmarked(heading, MACHINE_MARK).is_some() {
        return false;
    }
    let name = heading.split(['(', '[']).next().unwrap_or_default();
    let (whole, contains) =
        (plain(name), |list: &str, word: &str| list.split_whitespace().any(|known| plain(known) == word));
    PARTS.split_whitespace().any(|part| whole.contains(&plain(part)))
        || contains(WHOLE, &whole)
        || name.split(|letter: char| !letter.is_alphanumeric()).any(|word| contains(WORDS, &plain(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_that_name_no_machine_are_known() {
        for heading in [
            "quantity", "Order Qty.", "Menge [Stk]", "Stückzahl", "Priorität", "PRIO", "Setup time", "SetupTime",
            "Setup Saw", "Rüstzeit (min)", "weight", "Gewicht kg", "Kunde", "Customer", "Bemerkungen", "Due",
            "Liefertermin 2", "Losgröße", "βάρος", "Ποσότητα", "quantité", "Total", "Nr.", "start",
        ] {
            assert!(is_no_machine(heading), "{heading}");
        }
        for heading in [
            "Saw", "M1", "Machine 2", "Säge (Sekunden)", "Group 1", "Lötanlage", "Line 3", "Weld", "Press [qty/h]",
            "Έλασμα", "7", "Start welding", "Machine: weight", "Costing", "Polisseuse",
        ] {
            assert!(!is_no_machine(heading), "{heading}");
        }
    }
}
