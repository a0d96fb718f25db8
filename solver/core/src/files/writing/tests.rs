use super::*;
use crate::files::fault::{Fault, arm};

fn entries(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

#[test]
fn writing_replaces_whole_files_and_leaves_no_rest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deeper").join("plan.sol");
    write(&path, b"first").unwrap();
    write(&path, b"second").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"second");
    assert_eq!(entries(path.parent().unwrap()), 1);
}

#[test]
fn abandoned_temporary_files_are_swept_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let old = std::time::SystemTime::now() - 2 * ABANDONED;
    let make = |name: &str, time: Option<std::time::SystemTime>| {
        let file = File::create(folder.path().join(name)).unwrap();
        time.into_iter().for_each(|time| file.set_modified(time).unwrap());
    };
    make(".gridwright-aB3xyZ.tmp", Some(old));
    make(".gridwright-Young1.tmp", None);
    let others = [".gridwright-notes.tmp", ".gridwright-aB3x.Z.tmp", "gridwright-aB3xyZ.tmp", ".gridwright-aB3xyZ"];
    others.iter().for_each(|name| make(name, Some(old)));
    std::fs::create_dir(folder.path().join(".gridwright-folder.tmp")).unwrap();
    assert!(is_temporary(".gridwright-folder.tmp"));
    // Saving there is enough.
    write(&folder.path().join("plan.sol"), b"plan").unwrap();
    assert!(!folder.path().join(".gridwright-aB3xyZ.tmp").exists(), "it was abandoned");
    for name in others.into_iter().chain([".gridwright-Young1.tmp", ".gridwright-folder.tmp", "plan.sol"]) {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    make(".gridwright-0ther1.tmp", Some(old));
    assert_eq!(sweep(folder.path()), 1);
    assert_eq!(sweep(&folder.path().join("nowhere")), 0);
}

#[test]
fn a_place_that_cannot_hold_the_file_is_told_before() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    // A file that a program with the same process number left behind is in nobody's way.
    let left = format!(".gridwright-{}.tmp", std::process::id());
    std::fs::write(folder.path().join(left), "").unwrap();
    assert!(check_writable(&folder.path().join("new").join("deeper").join("a.pdf")).is_ok());
    assert!(check_writable(folder.path()).unwrap_err().to_string().contains("folder"));
    assert!(check_writable(&file.join("a.pdf")).unwrap_err().to_string().contains("is a file"));
    assert_eq!(entries(folder.path()), 2, "nothing is left behind");
}

#[test]
fn every_operation_may_fail_and_the_file_is_old_or_new() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.sol");
    let fault =
        |call| Fault { folder: folder.path().to_path_buf(), call, lasting: false, kind: io::ErrorKind::StorageFull };
    write(&path, b"old").unwrap();
    let guard = arm(fault(usize::MAX));
    write(&path, b"old").unwrap();
    let calls = guard.calls();
    drop(guard);
    assert!(calls >= 5, "only {calls} operations can fail");
    for call in 0..calls {
        std::fs::write(&path, b"old").unwrap();
        let guard = arm(fault(call));
        let ended = write(&path, b"newer");
        drop(guard);
        let content = std::fs::read(&path).unwrap();
        // The last operation syncs the folder, when the new content is in place.
        let expected: &[u8] = if call + 1 == calls { b"newer" } else { b"old" };
        assert!(ended.is_err() && content == expected, "operation {call}: {ended:?}");
        assert_eq!(entries(folder.path()), 1, "operation {call}");
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn permissions_are_kept_and_new_files_obey_the_umask() {
        let folder = tempfile::tempdir().unwrap();
        let (private, new, usual) = (folder.path().join("a"), folder.path().join("b"), folder.path().join("c"));
        std::fs::write(&private, "students").unwrap();
        std::fs::set_permissions(&private, Permissions::from_mode(0o600)).unwrap();
        write(&private, b"more students").unwrap();
        assert_eq!(mode(&private), 0o600);
        std::fs::write(&usual, "").unwrap();
        write(&new, b"x").unwrap();
        assert_eq!(mode(&new), mode(&usual), "as any other program creates files");
        std::fs::set_permissions(&usual, Permissions::from_mode(0o664)).unwrap();
        write(&usual, b"x").unwrap();
        assert_eq!(mode(&usual), 0o664, "the umask takes nothing from a file that exists");
    }

    #[test]
    fn links_stay_links_and_read_only_files_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, dangling, twin] = ["file", "link", "dangling", "twin"].map(|name| folder.path().join(name));
        std::fs::write(&file, "old").unwrap();
        symlink("file", &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(link.is_symlink() && std::fs::read(&file).unwrap() == b"new");
        symlink("later", &dangling).unwrap();
        write(&dangling, b"x").unwrap();
        assert!(dangling.is_symlink() && folder.path().join("later").is_file());
        symlink("circle", folder.path().join("circle")).unwrap();
        assert!(write(&folder.path().join("circle"), b"x").unwrap_err().to_string().contains("circle"));
        std::fs::hard_link(&file, &twin).unwrap();
        assert_eq!([&file, &link, &twin, &dangling].map(|path| other_names(path)), [1, 1, 1, 0]);
        assert!(is_same(&link, &twin) && !is_same(&link, &dangling));
        std::fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
        for refused in [write(&file, b"newer"), write(&link, b"newer"), check_writable(&file)] {
            assert!(refused.unwrap_err().to_string().contains("read-only"));
        }
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn a_pipe_is_written_to_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        write(&pipe, b"plan").unwrap();
        assert_eq!(reader.join().unwrap(), b"plan");
        assert_eq!(entries(folder.path()), 1);
    }
}

#[test]
fn what_cannot_be_appended_leaves_the_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    append(&path, b"one\n").unwrap();
    for call in 0..3 {
        let kind = std::io::ErrorKind::StorageFull;
        let guard = arm(Fault { folder: folder.path().to_path_buf(), call, lasting: false, kind });
        assert!(append(&path, b"another\n").unwrap_err().to_string().contains("the disk is full"), "{call}");
        drop(guard);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\n", "{call}");
    }
    append(&path, b"two\n").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
}
