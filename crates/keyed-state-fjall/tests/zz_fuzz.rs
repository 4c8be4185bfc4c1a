//! x
#![allow(warnings)]
#![allow(clippy::unwrap_used)]
mod support;
use keyed_state_core::*;
use keyed_state_fjall::FjallEngine;
use std::{
    fs, panic,
    path::{Path, PathBuf},
};
use support::*;
fn files(f: &Path, out: &mut Vec<PathBuf>) {
    for e in fs::read_dir(f).unwrap() {
        let e = e.unwrap();
        if e.file_type().unwrap().is_dir() { files(&e.path(), out) } else { out.push(e.path()) }
    }
}
#[test]
fn fuzz() {
    let folder = tempfile::tempdir().unwrap();
    let mut e = open(folder.path());
    let t = e.open_table("t").unwrap();
    for i in 0..300u32 {
        e.put(t, &i.to_be_bytes(), &[i as u8; 60]).unwrap();
    }
    e.compact().unwrap();
    for i in 300..340u32 {
        e.put(t, &i.to_be_bytes(), &[i as u8; 60]).unwrap();
    }
    let good = all(&e, t);
    close(e);
    let mut fs_ = vec![];
    files(folder.path(), &mut fs_);
    let mut counts = std::collections::BTreeMap::new();
    for f in fs_ {
        let rel = f.strip_prefix(folder.path()).unwrap().to_owned();
        let data = fs::read(&f).unwrap();
        if std::env::var("SKIP").is_ok_and(|s| s.split(',').any(|s| rel.to_str().unwrap().contains(s))) {continue} let end = if rel.extension().is_some_and(|x| x == "jnl") {
            data.iter().rposition(|b| *b != 0).unwrap() + 40
        } else {
            data.len()
        };
        let step = (end / 60).max(1);
        eprintln!("FILE {} {}", rel.display(), data.len());
        for pos in (0..end).step_by(step) {
            for cut in [false, true] {
                let copy = tempfile::tempdir().unwrap();
                copy_folder(folder.path(), copy.path());
                let mut d = data.clone();
                if cut {
                    d.truncate(pos)
                } else {
                    d[pos] ^= 0x41;
                }
                fs::write(copy.path().join(&rel), &d).unwrap();
                fs::write("/tmp/fj-last", format!("{} {pos} {cut}", rel.display())).unwrap();
            let r = panic::catch_unwind(|| {
                    let mut e = match FjallEngine::open(copy.path(), &config()) {
                        Ok(e) => e,
                        Err(x) => return format!("open err {:?}", x.kind()),
                    };
                    let t = match e.open_table("t") {
                        Ok(t) => t,
                        Err(_) => return "table err".into(),
                    };
                    let mut out = vec![];
                    let mut c = e.scan(t, KeyRange::ALL, Direction::Forward).unwrap();
                    loop {
                        match c.next() {
                            Ok(Some((k, v))) => out.push((k.to_vec(), v.to_vec())),
                            Ok(None) => break,
                            Err(_) => return "read err".into(),
                        }
                    }
                    if out == good { "same".to_string() } else { format!("DIFFERENT") }
                });
                let r = r.unwrap_or_else(|p| {
                    format!(
                        "PANIC {}",
                        p.downcast_ref::<String>()
                            .cloned()
                            .or(p.downcast_ref::<&str>().map(|s| s.to_string()))
                            .unwrap_or_default()
                    )
                });
                *counts.entry((rel.display().to_string(), cut, r)).or_insert(0) += 1;
            }
        }
    }
    for (k, v) in counts {
        println!("{v:5} {k:?}");
    }
}
