//! Replacing files as a whole: concurrent writers, failures, links, permissions and devices.

use crate::files::folder;
use crate::scene_file::ROOM;
use capsweep_formats::{LoadOptions, Names, open, scene_file, whole_file};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Barrier;

/// Names of the files in a folder.
fn listed(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

/// An empty folder of this name.
fn empty(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    whole_file::write(path, |file| file.write_all(bytes))
}

#[test]
fn many_threads_that_write_one_scene_file_all_succeed_and_leave_one_whole_file() {
    let folder = empty("whole_file_threads");
    let path = folder.join("room.capsweep");
    fs::write(folder.join("room.obj"), ROOM).unwrap();
    let level = open(folder.join("room.obj"), &LoadOptions::default()).unwrap();
    let (threads, rounds) = (16, 8);
    let barrier = Barrier::new(threads);
    std::thread::scope(|scope| {
        for writer in 0..threads {
            let (path, level, barrier) = (&path, &level, &barrier);
            scope.spawn(move || {
                // Each writer's file has another length.
                let names = Names::new(vec!["x".repeat(1 + 100 * writer)], Vec::new());
                for _ in 0..rounds {
                    barrier.wait();
                    scene_file::write(path, &level.scene, &names).unwrap();
                    open(path, &LoadOptions::default()).unwrap();
                }
            });
        }
    });
    let left = open(&path, &LoadOptions::default()).unwrap();
    assert_eq!(left.names.body(0).unwrap().len() % 100, 1);
    assert_eq!(listed(&folder), ["room.capsweep", "room.obj"]);
}

#[test]
fn a_writer_that_fails_removes_its_own_temporary_file_and_no_other() {
    let folder = empty("whole_file_fails");
    let path = folder.join("answer.txt");
    write(&path, b"good").unwrap();
    let failed = whole_file::write(&path, |file| {
        file.write_all(&vec![0; 100_000])?;
        // Another writer succeeds meanwhile.
        write(&path, b"better")?;
        assert_eq!(listed(&folder).len(), 2, "the file and the outer temporary file");
        Err::<(), _>(io::Error::other("the disk is full"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
    assert_eq!(fs::read(&path).unwrap(), b"better");
    assert_eq!(listed(&folder), ["answer.txt"]);
}

#[test]
fn a_writer_that_panics_leaves_the_old_file_and_nothing_else() {
    let folder = empty("whole_file_panics");
    let path = folder.join("answer.txt");
    write(&path, b"good").unwrap();
    let attempt = || whole_file::write(&path, |_| -> io::Result<()> { panic!("in the middle") });
    assert!(std::panic::catch_unwind(attempt).is_err());
    assert_eq!(fs::read(&path).unwrap(), b"good");
    assert_eq!(listed(&folder), ["answer.txt"]);
}

#[test]
fn leftovers_of_interrupted_writers_are_ignored() {
    let folder = empty("whole_file_leftovers");
    let path = folder.join("room.capsweep");
    let pid = std::process::id();
    let leftovers = [format!(".room.capsweep.{pid}.new"), format!(".room.capsweep.{pid}-0-0.tmp")];
    for name in &leftovers {
        fs::write(folder.join(name), "half a file").unwrap();
    }
    for round in 0..3_u8 {
        write(&path, &[round]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), [round]);
    }
    for name in &leftovers {
        assert_eq!(fs::read(folder.join(name)).unwrap(), b"half a file");
    }
    assert_eq!(listed(&folder).len(), 3);
}

#[test]
fn a_name_as_long_as_the_file_system_allows_is_written() {
    let folder = empty("whole_file_long_name");
    let path = folder.join("x".repeat(255));
    for bytes in [b"one", b"two"] {
        write(&path, bytes).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_folder_and_a_missing_folder_are_told() {
    let folder = empty("whole_file_folder");
    assert_eq!(write(&folder, b"x").unwrap_err().to_string(), "it is a folder");
    let error = write(&folder.join("missing/x"), b"x").unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound, "{error}");
    assert!(listed(&folder).is_empty());
}

#[cfg(unix)]
mod on_unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_link_stays_and_the_file_that_it_names_is_replaced() {
        let folder = empty("whole_file_link");
        fs::create_dir(folder.join("real")).unwrap();
        fs::write(folder.join("real/file"), "old").unwrap();
        // A link to a link, the first one relative to its own folder.
        symlink("real/file", folder.join("inner")).unwrap();
        symlink(folder.join("inner"), folder.join("outer")).unwrap();
        write(&folder.join("outer"), b"new").unwrap();
        assert_eq!(fs::read(folder.join("real/file")).unwrap(), b"new");
        assert_eq!(listed(&folder.join("real")), ["file"]);
        for link in ["inner", "outer"] {
            assert!(fs::symlink_metadata(folder.join(link)).unwrap().is_symlink(), "{link}");
        }
    }

    #[test]
    fn a_link_that_names_no_file_is_told_and_stays() {
        let folder = empty("whole_file_dangling");
        symlink("missing", folder.join("link")).unwrap();
        let error = write(&folder.join("link"), b"x").unwrap_err().to_string();
        assert!(error.starts_with("it is a link to \"missing\", which does not exist"), "{error}");
        assert_eq!(listed(&folder), ["link"]);
        symlink("round", folder.join("round")).unwrap();
        assert!(write(&folder.join("round"), b"x").is_err());
        symlink(&folder, folder.join("folder")).unwrap();
        assert_eq!(write(&folder.join("folder"), b"x").unwrap_err().to_string(), "it is a folder");
    }

    #[test]
    fn an_existing_file_keeps_its_permissions() {
        let folder = empty("whole_file_mode");
        let path = folder.join("file");
        for mode in [0o600, 0o640, 0o755] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            write(&path, b"new").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
    }

    #[test]
    fn a_file_that_may_not_be_written_is_not_replaced() {
        let folder = empty("whole_file_read_only");
        let path = folder.join("file");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        // The superuser may write any file.
        if fs::OpenOptions::new().write(true).open(&path).is_ok() {
            eprintln!("skipped: this user may write read-only files");
            write(&path, b"new").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o444);
            return;
        }
        assert_eq!(write(&path, b"x").unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(listed(&folder), ["file"]);
    }

    #[test]
    fn a_device_is_written_to_and_stays_a_device() {
        write(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_that_is_full_is_told() {
        assert_eq!(
            write(Path::new("/dev/full"), &vec![0; 1 << 20]).unwrap_err().kind(),
            io::ErrorKind::StorageFull
        );
    }
}
