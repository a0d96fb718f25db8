//! The program as a user starts it: answers, messages, exit codes, files.

mod campaigns;
mod decisions;
mod doors;
mod facility;
mod files;
mod flowshop;
mod flowshop_fronts;
mod flowshop_results;
mod flowshop_solving;
mod hostile;
mod installed;
mod invigilating;
mod late_changes;
mod moving;
mod paper_plans;
mod publishing;
mod sessions;
mod systolic;
mod test_folder;
mod timetabling;
mod timetabling_bench;
mod updates;
