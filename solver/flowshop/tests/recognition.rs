//! Flow shops are told from files of other problems.

use gridwright_flowshop::formats::{LOOK, looks_like, matrix, moeo};
use gridwright_flowshop::library;

#[test]
fn names_are_known() {
    assert!(looks_like("taillard:ta001", b"") && looks_like("sample:workshop", b""));
    assert!(!looks_like("sample:school", b"") && !looks_like("", b"") && !looks_like("shop.txt", b""));
    for preset in ["school", "faculty", "campus", "university"] {
        assert!(!looks_like(&format!("sample:{preset}"), b""));
    }
}

#[test]
fn flow_shops_of_every_kind_are_seen() {
    let made = library::taillard("ta081").unwrap();
    for text in [matrix::write(&made), matrix::write_pairs(&made), moeo::write(&made, 1)] {
        assert!(looks_like("shop.txt", text.as_bytes()));
        assert!(looks_like("shop", text.as_bytes()), "no ending");
        // Cut where looking ends.
        let long = text.repeat(1 + LOOK / text.len());
        assert!(!looks_like("shop.txt", &long.as_bytes()[..text.len() * 2]), "more than was announced");
    }
    let large = library::taillard("ta120").unwrap();
    for text in [matrix::write_pairs(&large), moeo::write(&large, 1)] {
        let long = text.repeat(3);
        assert!(looks_like("shop.txt", &long.as_bytes()[..LOOK.min(text.len())]));
    }
    for text in [
        "number of jobs, number of machines :\n2 3\n",
        "job,due date,Saw,Mill\nDesk,20,3,2\n",
        "Auftrag;Säge\nTisch;3\n",
        "Order;Saw\nDesk;3\n",
        "Plan of March;\nOrder;Saw\nDesk;3\n",
        "job,priority,Saw\nDesk,high,3\n",
        "2 3\n3 1\n2 4\n5 6\n",
        "2 3\n3 2 5\n1 4 6\n",
        "4 3\n3 1 2 2\n2 4 2\n5 6 2 2\n",
        "4 3\n3 1 2 2\n2 4 2 x7\n5 6 2 2\n",
    ] {
        assert!(looks_like("shop.csv", text.as_bytes()), "{text}");
    }
}

#[test]
fn other_files_are_not() {
    for (name, text) in [
        ("a.stu", "2 3\n3 1\n2 4\n5 6\n"),
        ("a.crs", "1 1\n1 5\n"),
        ("a.txt", "0001 0002\n0003 0004\n0001 0004\n"),
        ("a.txt", "0001\n0002\n0003\n0000\n0001\n0002 0003\n"),
        ("a.txt", "1 20\n2 35\n3 12\n"),
        ("a.txt", "3 2\n7 1\n8\n1 2 3\n5 6\n"),
        ("a.txt", "12 7 5\n3 7\n"),
        ("a.csv", "student,exam\n1,2\n"),
        ("a.csv", "code,title,duration\nA,B,120\n"),
        ("a.csv", "job,machine,start,end\nA,B,0,5\n"),
        ("a.csv", "job,machine\nA,B\n"),
        ("a.exam", "[Exams:2]\n120, 7\n"),
        ("a.txt", "[Exams:2]\n120, 7\n"),
        ("a.txt", "hello\n"),
        ("a.txt", "5\n"),
        ("a.ron", "(format: 1)"),
        ("a.txt", "\u{0}\u{1}"),
    ] {
        assert!(!looks_like(name, text.as_bytes()), "{name}: {text}");
    }
}
