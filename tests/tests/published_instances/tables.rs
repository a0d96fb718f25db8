//! Published flow shops and binary problems come back from their tables.

use gridwright_core::data::Tables;
use gridwright_facility as facility;
use gridwright_flowshop as flowshop;
use gridwright_systolic as systolic;
use gridwright_tests::published_data;
use gridwright_timetabling as timetabling;

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
#[cfg_attr(not(published_data), ignore = "needs mo-flowshop/ in GRIDWRIGHT_DATA or ../shared/data")]
fn published_flow_shops_come_back_from_their_tables() {
    for entry in flowshop::library::entries() {
        let instance = flowshop::library::taillard(&entry.name).unwrap();
        assert_eq!(flowshop::Instance::of_data(&instance.to_data()).unwrap(), instance, "{}", entry.name);
    }
    let files = std::fs::read_dir(published_data("mo-flowshop")).unwrap().map(|entry| entry.unwrap().path());
    let read = files.filter_map(|path| flowshop::formats::load(&path, &Default::default()).ok());
    let mut count = 0;
    for instance in read {
        assert_eq!(flowshop::Instance::of_data(&instance.to_data()).unwrap(), instance, "{}", instance.name);
        count += 1;
    }
    assert!(count >= 12, "{count}");
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs nrp/ and kp/ in GRIDWRIGHT_DATA or ../shared/data")]
fn published_binary_problems_come_back_from_their_tables() {
    let folders = ["nrp", "nrp/xuan/classic", "nrp/xuan/realistic", "kp"].into_iter().map(published_data);
    let mut count = 0;
    for path in folders.flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())) {
        let Ok(instance) = systolic::formats::load(&path, &Default::default()) else { continue };
        assert_eq!(systolic::Instance::of_data(&instance.to_data()).unwrap(), instance, "{}", path.display());
        count += 1;
    }
    assert!(count >= 10, "{count}");
}
