//! Assignment, check, adjustment and replacement of invigilators without a window, in words.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use gridwright_core::numbers::{counted, counted_as};
use gridwright_core::planning::{AssignedDuties, DutyRequest};
use gridwright_core::result::Encoded;
use gridwright_core::{Error, Result};
use serde_json::{Map, Value, json};

use super::export::{ExportOptions, export_bytes_with};
use super::formats::duties::read;
use super::invigilation::adjust::{Adjustment, adjust};
use super::invigilation::check::{Fault, FaultKind, check};
use super::invigilation::replace::{LateAbsence, Replacement, Vacancy, replace, with_absences};
use super::invigilation::{Assignment, assign};
use super::invigilators::{Duty, Post};
use super::project::SessionDemands;
use super::{Instance, Timetable};

/// Duties with what is said about them.
struct Answer {
    /// The session by whose absences the duties are judged.
    instance: Instance,
    duties: Vec<Duty>,
    text: String,
    json: Map<String, Value>,
}

/// Assigns invigilators to a timetable; with a file of duties checks these or adjusts them to the timetable, and with late absences finds
/// replacements. `demands` are those of the project.
///
/// # Errors
/// [`Error::Usage`] if data are missing or an absence is not understood; errors of the file of duties and of the documents.
pub(super) fn answer(
    instance: &Instance, timetable: &Timetable, demands: SessionDemands, request: &DutyRequest<'_>, now: DateTime<Utc>,
) -> Result<AssignedDuties> {
    let former = match request.duties {
        Some(path) => Some(read(path, instance)?),
        None if request.absent.is_empty() && !request.adjusts => None,
        None if instance.duties.is_empty() => {
            let what = "there are no duties to begin with; name them with --duties FILE, or a project that keeps them";
            return Err(Error::Usage(what.to_owned()));
        }
        None => Some(instance.duties.to_vec()),
    };
    let before = former.clone().unwrap_or_else(|| instance.duties.to_vec());
    let answer = match former {
        None => assigned(instance, timetable)?,
        Some(duties) if request.adjusts => adjusted(instance, timetable, &duties, request.absent)?,
        Some(duties) if request.absent.is_empty() => {
            let text = format!("{} are checked\n", duty_count(duties.len()));
            Answer { instance: instance.clone(), duties, text, json: Map::new() }
        }
        Some(duties) => replaced(instance, timetable, &duties, request.absent)?,
    };
    let Answer { instance, duties, mut text, mut json } = answer;
    let faults = check(&instance, timetable, &duties);
    // Posts without people are told with their reasons before.
    let is_told = |fault: &&Fault| request.duties.is_none() && fault.kind == FaultKind::Uncovered;
    faults.iter().filter(|fault| !is_told(fault)).for_each(|fault| text.push_str(&format!("{}\n", fault.text)));
    let object = |fault: &Fault| json!({ "kind": fault.kind.key(), "text": fault.text });
    json.insert("faults".to_owned(), faults.iter().map(object).collect());
    json.insert("duties".to_owned(), duties.iter().map(duty_object).collect());
    let demands = Encoded::of(&SessionDemands { duties: duties.clone(), ..demands });
    let instance = Instance { duties: Arc::new(duties), ..instance };
    let options = ExportOptions { letterhead: request.letterhead, former_duties: &before, ..ExportOptions::default() };
    let document = |ending: &&'static str| export_bytes_with(&instance, timetable, ending, &options, now);
    let documents = request.endings.iter().map(document).collect::<Result<_>>()?;
    let faults = faults.into_iter().map(|fault| fault.text).collect();
    Ok(AssignedDuties { demands, documents, faults, text, json })
}

fn duty_count(count: usize) -> String {
    counted_as(count as u64, "duty", "duties")
}

fn duty_object(duty: &Duty) -> Value {
    let (room, building) = match &duty.post {
        Post::Chief(building) => (None, Some(building)),
        Post::Room(room) => (Some(room), None),
        Post::Reserve => (None, None),
    };
    let when = &duty.when;
    json!({
        "invigilator": duty.invigilator, "duty": duty.post.word(), "period": when.period, "date": when.date,
        "start": when.start, "end": when.end, "room": room, "building": building,
    })
}

fn assigned(instance: &Instance, timetable: &Timetable) -> Result<Answer> {
    let Assignment { duties, needed, shortages, gaps, loads, building_changes, too_long_rows } =
        assign(instance, timetable)?;
    let mut lines: Vec<String> = shortages.iter().map(|shortage| format!("Too few: {shortage}")).collect();
    let people = counted(instance.resources.invigilators.len() as u64, "invigilator");
    lines.push(format!("{} of {} are covered by {people}", duties.len(), duty_count(needed)));
    if let Some(loads) = loads {
        lines.push(format!(
            "Loads: {} to {}; no assignment that covers as much has a largest load below {} or a smallest above {}",
            loads.smallest, loads.largest, loads.largest_bound, loads.smallest_bound
        ));
    }
    let most = instance.invigilation_needs().most_in_a_row;
    let changes = counted(building_changes as u64, "change");
    lines.push(format!("{changes} of the building within a day, {too_long_rows} beyond {most} duties in a row"));
    lines.extend(gaps.iter().map(|gap| format!("Not covered: {gap}")));
    let bounds = loads.map(|loads| {
        json!({
            "smallest": loads.smallest, "largest": loads.largest,
            "smallest_bound": loads.smallest_bound, "largest_bound": loads.largest_bound,
        })
    });
    let json = json!({
        "needed": needed, "covered": duties.len(), "loads": bounds, "building_changes": building_changes,
        "too_long_rows": too_long_rows, "shortages": shortages, "gaps": gaps,
    });
    Ok(Answer { instance: instance.clone(), duties, text: joined(&lines), json: object(json) })
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(map) = value { map } else { Map::new() }
}

/// The session with late absences, as people write them.
fn with_absent(instance: &Instance, absent: &[String]) -> Result<Instance> {
    let absences = absent.iter().map(|text| LateAbsence::parse(text, instance)).collect::<Result<Vec<_>>>()?;
    Ok(with_absences(instance, &absences))
}

fn adjusted(instance: &Instance, timetable: &Timetable, duties: &[Duty], absent: &[String]) -> Result<Answer> {
    let instance = with_absent(instance, absent)?;
    let found = adjust(&instance, timetable, duties)?;
    let Adjustment { duties, needed, kept, gaps, dropped } = &found;
    let mut lines = vec![format!("{} of {} are covered; {}", duties.len(), duty_count(*needed), found.in_words())];
    lines.extend(dropped.iter().map(|what| format!("Dropped: {what}")));
    lines.extend(gaps.iter().map(|gap| format!("Not covered: {gap}")));
    let json = json!({
        "needed": needed, "covered": duties.len(), "kept": kept, "dropped": dropped, "gaps": gaps,
    });
    Ok(Answer { instance, text: joined(&lines), json: object(json), duties: found.duties })
}

fn replaced(instance: &Instance, timetable: &Timetable, duties: &[Duty], absent: &[String]) -> Result<Answer> {
    let instance = with_absent(instance, absent)?;
    let Replacement { duties, vacancies, moved, gaps, dropped } = replace(&instance, timetable, duties)?;
    let name = |code: &String| {
        let person = instance.resources.invigilators.iter().find(|person| person.code == *code);
        person.map_or_else(|| code.clone(), |person| person.label().to_owned())
    };
    // Names have commas.
    let names = |codes: &[String]| codes.iter().take(5).map(name).collect::<Vec<_>>().join("; ");
    let mut lines = Vec::new();
    for vacancy in &vacancies {
        let (duty, former) = (&vacancy.duty, name(&vacancy.duty.invigilator));
        let place = format!("{}, {}", duty.when.words(), duty.post.words());
        lines.push(match &vacancy.by {
            Some(by) => format!("{place}: {} instead of {former}", name(by)),
            None => format!("{place}: nobody can replace {former}"),
        });
        let others: Vec<String> =
            vacancy.free.iter().filter(|code| Some(*code) != vacancy.by.as_ref()).cloned().collect();
        if !others.is_empty() {
            lines.push(format!("  also free: {}", names(&others)));
        }
        if !vacancy.reserves.is_empty() {
            lines.push(format!("  reserve on duty: {}", names(&vacancy.reserves)));
        }
    }
    for (duty, by) in &moved {
        let (place, former) = (format!("{}, {}", duty.when.words(), duty.post.words()), name(&duty.invigilator));
        lines.push(format!("{place}: {} instead of {former}, who moves", name(by)));
    }
    lines.push(match (vacancies.len(), moved.len()) {
        (0, _) => "No duty falls into the absences".to_owned(),
        (count, 0) => format!("{} replaced or open; nobody else moves", duty_count(count)),
        (count, moved) => {
            format!("{} replaced or open; {} of others change hands", duty_count(count), duty_count(moved))
        }
    });
    lines.extend(dropped.iter().map(|what| format!("Dropped: {what}")));
    lines.extend(gaps.iter().map(|gap| format!("Not covered: {gap}")));
    let vacancy = |vacancy: &Vacancy| json!({ "duty": duty_object(&vacancy.duty), "by": vacancy.by, "free": vacancy.free, "reserves": vacancy.reserves });
    let json = json!({
        "vacancies": vacancies.iter().map(vacancy).collect::<Vec<_>>(),
        "moved": moved.iter().map(|(duty, by)| json!({ "duty": duty_object(duty), "by": by })).collect::<Vec<_>>(),
        "dropped": dropped, "gaps": gaps,
    });
    Ok(Answer { instance, duties, text: joined(&lines), json: object(json) })
}
