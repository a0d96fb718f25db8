//! Headings of tables of jobs: columns that are recognised, and headings that hardly name a machine.

use gridwright_core::text::columns::{Column, find, plain};
use gridwright_core::text::headings::is_no_item;

/// Other names of the column of jobs.
pub(crate) const JOB_NAMES: &str = "job jobs jobname jobid jobnumber jobno jobnr order orders ordername orderid ordernumber orderno ordernr auftrag aufträge \
     auftragsnummer auftragsnr fertigungsauftrag arbeitsauftrag workorder workorderno bestellung εργασία παραγγελία \
     αριθμόςπαραγγελίας tâche commande ordredefabrication";

/// Other names of the column of due dates.
pub(crate) const DUE_NAMES: &str = "due duedate deadline termin liefertermin lieferdatum fällig fälligkeit fälligam προθεσμία \
                                    ημερομηνίαπαράδοσης échéance délai datedelivraison";

/// Other names of the column of release dates.
pub(crate) const RELEASE_NAMES: &str = "release releasedate releasetime readydate readytime ready readyat available availablefrom availableat arrival arrivaltime \
     arrivaldate earlieststart earlieststarttime earlieststartdate freigabe freigabetermin freigabedatum verfügbar verfügbarab bereit \
     bereitab frühesterstart frühesterbeginn startfrühestens disponible disponibleàpartirde";

/// Other names of the column of families.
pub(crate) const FAMILY_NAMES: &str = "family families setupfamily setupgroup setupclass productfamily familie familien rüstfamilie rüstgruppe \
                                       produktfamilie artikelgruppe famille famillederéglage οικογένεια";

/// Other names of the columns of orders.
pub(crate) const QUANTITY_NAMES: &str = "qty orderqty orderquantity amount pieces pcs menge auftragsmenge stück stk stückzahl anzahl losgröße lotsize batchsize \
                                         quantité ποσότητα τεμάχια";
pub(crate) const WEIGHT_NAMES: &str = "weights gewicht gewichtung poids βάρος";
pub(crate) const RANK_NAMES: &str = "rang";
pub(crate) const STARTED_NAMES: &str =
    "begun actualstart begonnen gestartet begonnenam gestartetam iststart istbeginn commencé";
pub(crate) const PROGRESS_NAMES: &str =
    "percentdone percentcomplete completed fortschritt fertigungsgrad fertig erledigt avancement πρόοδος";
pub(crate) const REMAINING_NAMES: &str = "remainingtime remainingwork restzeit restarbeit restdauer tempsrestant";
pub(super) const PRIORITY_NAMES: &str = "prio priorität prioritaet priorité προτεραιότητα urgency dringlichkeit";
pub(crate) const CUSTOMER_NAMES: &str = "customername client clientname kunde kundenname kundin auftraggeber πελάτης";
pub(crate) const REMARK_NAMES: &str = "remarks comment comments note notes bemerkung bemerkungen kommentar notiz hinweis remarque σχόλιο σχόλια παρατηρήσεις";

/// Other names of the columns of set-ups: family or job before and after.
pub(crate) const FROM_NAMES: &str = "before predecessor previous fromfamily fromjob von vorgänger de από";
pub(crate) const TO_NAMES: &str = "after until till successor next tofamily tojob nach bis nachfolger à προς";

/// Other names of the columns of the start of the plan.
pub(crate) const START_NAMES: &str = "planstart startoftheplan startofplan planbegin planbeginn planungsbeginn planungsstart beginndesplans debutduplan \
                                      datedebut εναρξηπλανου";
pub(crate) const CLOCK_NAMES: &str = "starttime timeofday clock uhrzeit startzeit heure heurededebut ωρα";
pub(crate) const ZONE_NAMES: &str = "zone tz timezone zeitzone fuseauhoraire ζωνηωρας";

/// Other names of the columns of working times.
pub(crate) const MACHINE_NAMES: &str = "machines maschine maschinen workcentre workcenter arbeitsplatz machine μηχανή";
pub(crate) const DAY_NAMES: &str =
    "days date dates weekday weekdays tag tage wochentag wochentage datum jour jours ημέρα ημέρες";
pub(crate) const KIND_NAMES: &str = "type art typ genre είδος";

/// Other names of the columns of machines.
pub(crate) const READY_NAMES: &str =
    "readytime readyfrom availablefrom available bereit bereitab verfügbar verfügbarab disponible διαθέσιμο";
pub(crate) const TRANSPORT_NAMES: &str =
    "transporttime transportafter lag timelag movetime transportzeit liegezeit transfert délaidetransport μεταφορά";
pub(crate) const UNINTERRUPTED_NAMES: &str = "nointerruption notinterrupted wholeoperations ununterbrochen ohneunterbrechung sansinterruption \
                                              αδιάλειπτα";

/// Column of the names of jobs.
pub(super) const JOB: Column = Column::required("job", JOB_NAMES);

/// Columns that are not machines.
pub(super) const COLUMNS: [Column; 13] = [
    JOB,
    Column::optional("due date", DUE_NAMES),
    Column::optional("release date", RELEASE_NAMES),
    Column::optional("family", FAMILY_NAMES),
    Column::optional("quantity", QUANTITY_NAMES),
    Column::optional("weight", WEIGHT_NAMES),
    Column::optional("rank", RANK_NAMES),
    Column::optional("priority", PRIORITY_NAMES),
    Column::optional("customer", CUSTOMER_NAMES),
    Column::optional("remark", REMARK_NAMES),
    Column::optional("started", STARTED_NAMES),
    Column::optional("progress", PROGRESS_NAMES),
    Column::optional("remaining", REMAINING_NAMES),
];

/// Columns of tables of set-ups that are not machines.
pub(super) const SETUP_COLUMNS: [Column; 2] = [Column::required("from", FROM_NAMES), Column::required("to", TO_NAMES)];

/// Columns of the start of a plan.
pub(super) const PLAN_COLUMNS: [Column; 3] = [
    Column::required("plan start", START_NAMES),
    Column::optional("start time", CLOCK_NAMES),
    Column::optional("time zone", ZONE_NAMES),
];

/// Columns of working times.
pub(super) const HOURS_COLUMNS: [Column; 5] = [
    Column::optional("machine", MACHINE_NAMES),
    Column::required("day", DAY_NAMES),
    Column::required("from", FROM_NAMES),
    Column::required("to", TO_NAMES),
    Column::optional("kind", KIND_NAMES),
];

/// Columns of the times of machines.
pub(super) const MACHINE_COLUMNS: [Column; 4] = [
    Column::required("machine", MACHINE_NAMES),
    Column::optional("ready", READY_NAMES),
    Column::optional("transport", TRANSPORT_NAMES),
    Column::optional("uninterrupted", UNINTERRUPTED_NAMES),
];

/// Mark before the name of a machine, a job or a column of texts that could be taken for something else, as in `machine: weight`.
pub(super) const MACHINE_MARK: &str = "machine:";
pub(super) const JOB_MARK: &str = "job:";
pub(super) const TEXT_MARK: &str = "text:";

/// Parts of headings, as [`plain`] writes them, of times that are no processing times of a machine.
const TIME_PARTS: &str =
    "setup changeover rustzeit ruestzeit umrust releasedate earliest freigabe duedate deadline liefertermin falligkeit";

/// Words of such headings.
const TIME_WORDS: &str =
    "hours stunden shift schicht arrival bereit ready due start begin beginn end ende time zeit duration dauer";

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
    is_no_machine(machine)
        || unmarked(machine, TEXT_MARK).is_some()
        || find(std::iter::once(machine), &COLUMNS).iter().any(Option::is_some)
}

/// Returns `true` if a heading that names no machine may name times that a plan depends on, such as set-up times.
pub(super) fn names_times(heading: &str) -> bool {
    let words = || heading.split(|letter: char| !letter.is_alphanumeric()).map(plain);
    let whole = plain(heading);
    TIME_PARTS.split_whitespace().any(|part| whole.contains(part))
        || words().any(|word| TIME_WORDS.split_whitespace().any(|known| known == word))
}

/// Returns `true` if a heading hardly names a machine: `Quantity`, `Setup time (min)`, `Priorität`. A unit in brackets
/// does not count, and [`MACHINE_MARK`] leaves no doubt.
pub(super) fn is_no_machine(heading: &str) -> bool {
    if unmarked(heading, MACHINE_MARK).is_some() {
        return false;
    }
    unmarked(heading, TEXT_MARK).is_some() || is_no_item(heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_that_name_no_machine_are_known() {
        for heading in [
            "quantity", "Order Qty.", "Menge [Stk]", "Stückzahl", "Priorität", "PRIO", "Setup time", "SetupTime",
            "Setup Saw", "Rüstzeit (min)", "weight", "Gewicht kg", "Kunde", "Customer", "Bemerkungen", "Due",
            "Liefertermin 2", "Losgröße", "βάρος", "Ποσότητα", "quantité", "Total", "Nr.", "start", "margin", "hours",
            "shift", "year", "phone", "order no", "Stück", "Rang", "Umsatz", "urgency", "arrival date",
            "Bereit ab (h)",
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
