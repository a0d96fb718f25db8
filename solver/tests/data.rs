//! Published flow shops and binary problems come back from their tables.

use gridwright_solver::data::Tables;
use gridwright_solver::{facility, flowshop, systolic, timetabling};

use crate::support::published_folder;

#[test]
fn new_instances_of_every_problem_can_be_used() {
    fn rows_of<T: Tables>() -> usize {
        let data = T::template().unwrap();
        assert!(T::of_data(&data).is_ok(), "{}", data.name);
        data.tables.iter().map(|table| table.rows.len()).sum()
    }
    let rows = [
        rows_of::<timetabling::Instance>(),
        rows_of::<flowshop::Instance>(),
        rows_of::<facility::Instance>(),
        rows_of::<systolic::Instance>(),
    ];
    assert!(rows.iter().all(|rows| *rows >= 3), "{rows:?}");
}

#[test]
fn published_flow_shops_come_back_from_their_tables() {
    for entry in flowshop::library::entries() {
        let instance = flowshop::library::taillard(&entry.name).unwrap();
        assert_eq!(flowshop::Instance::of_data(&instance.to_data()).unwrap(), instance, "{}", entry.name);
    }
    let Some(folder) = published_folder("mo-flowshop") else { return };
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = files.filter_map(|path| flowshop::formats::load(&path, &Default::default()).ok());
    let mut count = 0;
    for instance in read {
        assert_eq!(flowshop::Instance::of_data(&instance.to_data()).unwrap(), instance, "{}", instance.name);
        count += 1;
    }
    assert!(count >= 12, "{count}");
}

#[test]
fn published_binary_problems_come_back_from_their_tables() {
    let folders = ["nrp", "nrp/xuan/classic", "nrp/xuan/realistic", "kp"].into_iter().filter_map(published_folder);
    let mut count = 0;
    for path in folders.flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())) {
        let Ok(instance) = systolic::formats::load(&path, &Default::default()) else { continue };
        assert_eq!(systolic::Instance::of_data(&instance.to_data()).unwrap(), instance, "{}", path.display());
        count += 1;
    }
    assert!(count >= 10 || published_folder("nrp").is_none(), "{count}");
}
