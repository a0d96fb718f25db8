//! Headings of columns of numbers that name no item of a plan, such as a machine: quantities, priorities, dates, remarks.

use super::columns::plain;

/// Parts of headings, as [`plain`] writes them, that no item of a plan, such as a machine, is expected to have.
const PARTS: &str = "quantit menge stuckzahl anzahl ποσοτητα τεμαχια priorit prioritat προτεραιοτητα setup changeover rustzeit \
                     ruestzeit umrust weight gewicht poids βαρος customer kunden client πελατης remark bemerk comment \
                     kommentar remarque σχολι παρατηρ description beschreibung bezeichnung περιγραφη batchsize lotsize \
                     losgross releasedate earliest freigabe duedate deadline liefertermin falligkeit προθεσμια echeance \
                     tardiness verspatung urgen dringlich telefon umsatz deckungsbeitrag verfugbar";

/// Words of headings, as [`plain`] writes them, that no item of a plan, such as a machine, is expected to have.
const WORDS: &str = "qty amount count pieces pcs units lot batch size los prio rank kunde note notes notiz notizen price preis \
                     prix τιμη cost costs kosten cout value wert revenue profit item article artikel product produkt \
                     produit material due date datum ημερομηνια rang rank umsatz turnover margin marge stuck hours stunden shift \
                     schicht year jahr annee phone telefon tel fax urgency eilig available arrival bereit ready total sum summe gesamt σύνολο";

/// Headings, as [`plain`] writes them, that no item of a plan, such as a machine, is expected to have.
const WHOLE: &str = "no nr number nummer id index pos position name title titel text code type typ class klasse group gruppe \
                     family familie category kategorie status state operator start begin end ende time zeit duration dauer \
                     day tag week woche month monat comment info orderno ordernr ordernumber auftragsnr auftragsnummer";

/// Returns `true` if a heading hardly names an item: `Quantity`, `Setup time (min)`, `Priorität`. A unit in brackets does not count.
pub fn is_no_item(heading: &str) -> bool {
    let name = heading.split(['(', '[']).next().unwrap_or_default();
    let (whole, contains) =
        (plain(name), |list: &str, word: &str| list.split_whitespace().any(|known| plain(known) == word));
    PARTS.split_whitespace().any(|part| whole.contains(&plain(part)))
        || contains(WHOLE, &whole)
        || name.split(|letter: char| !letter.is_alphanumeric()).any(|word| contains(WORDS, &plain(word)))
}
