//! An import gives the same file every time.

use crate::world::{Folder, small};
use capsweep_formats::server_map::import::ImportOptions;
use capsweep_testkit::server_files::{Core, write_world};
use std::fs;

#[test]
fn an_import_gives_the_same_bytes_with_one_thread_with_two_and_twice() {
    let continent = small();
    for core in [Core::Vmangos, Core::TrinityMaster] {
        let folder = Folder::new();
        write_world(folder.path(), core, &continent).unwrap();
        let import = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let options = ImportOptions::default();
            let (path, notes) = pool.install(|| folder.import(continent.map, &options));
            (fs::read(path).unwrap(), notes)
        };
        let (bytes, notes) = import(1);
        for threads in [2, 2, 5] {
            let (other, other_notes) = import(threads);
            assert_eq!(notes, other_notes);
            assert!(bytes == other, "{core:?}: {threads} threads give another file");
        }
    }
}
