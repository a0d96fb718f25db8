//! tmp
use gridwright_solver::random::*;
use gridwright_solver::scene::{pdf, png, svg};
use gridwright_solver::timetabling::{drawing::*, *};
fn main() {
    let out = std::path::PathBuf::from(std::env::args().nth(1).unwrap());
    for (name, n, t, s, dated) in [
        ("school-spring", 10usize, 5usize, 60usize, false),
        ("faculty-summer", 200, 20, 3000, true),
        ("tiny dated", 14, 6, 80, true),
        ("mid-600", 600, 35, 20000, false),
        ("pur-like", 2419, 42, 30000, false),
    ] {
        let mut state = 1u64;
        let mut rnd = |m: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) as usize) % m
        };
        // each student belongs to a programme = window of exams
        let mut studs = vec![];
        for _ in 0..s {
            let p = rnd(n);
            let k = 1 + rnd(4);
            let w = (n / 12).max(6);
            studs.push(
                (0..k)
                    .map(|_| {
                        (((p / w) * w + {
                            let a = rnd(w);
                            let b = rnd(w);
                            a.min(b)
                        }) % n) as u16
                    })
                    .collect::<Vec<_>>(),
            );
        }
        let words = [
            "Analysis",
            "Linear algebra",
            "Thermodynamics",
            "Programming",
            "Statistics",
            "Organic chemistry",
            "Microeconomics",
            "Signals and systems",
            "History of the modern state",
            "Business English",
            "Fluid mechanics",
            "Databases",
        ];
        let exams = (0..n)
            .map(|i| Exam {
                code: if dated {
                    format!("{}{}", ["MATH", "PHY", "CHEM", "ECON"][i % 4], 100 + i)
                } else {
                    format!("{:04}", i + 1)
                },
                title: if dated { format!("{} {}", words[i % 12], ["I", "II", "III"][i % 3]) } else { String::new() },
                duration: Some(120),
                enrolment: 0,
            })
            .collect();
        let d0 = chrono::NaiveDate::from_ymd_opt(2026, 6, 1).unwrap();
        let periods = (0..t)
            .map(|p| {
                if dated {
                    Period {
                        date: Some(d0 + chrono::Days::new(((p / 2) / 5 * 7 + (p / 2) % 5) as u64)),
                        start: chrono::NaiveTime::from_hms_opt(if p % 2 == 0 { 9 } else { 14 }, 0, 0),
                        end: chrono::NaiveTime::from_hms_opt(if p % 2 == 0 { 11 } else { 16 }, 0, 0),
                        seats: None,
                    }
                } else {
                    Period::default()
                }
            })
            .collect();
        let inst =
            Instance::build(InstanceParts { name: name.into(), exams, students: studs, periods, ..Default::default() })
                .unwrap();
        // greedy by degree, best period
        let mut tt = Timetable::unplaced(n);
        let order = sorted_exams(&inst, &tt, Sort::Degree);
        for e in order {
            let best = (0..t)
                .min_by_key(|&p| {
                    let (c, x) = tt.share_at(&inst, e, p);
                    (
                        c,
                        x,
                        inst.exams
                            .iter()
                            .enumerate()
                            .filter(|(i, _)| tt.periods[*i] == p as u16)
                            .map(|(_, e)| e.enrolment)
                            .sum::<u32>(),
                    )
                })
                .unwrap();
            tt.periods[e] = best as u16;
        }
        for _ in 0..2 {
            for e in 0..n {
                let best = (0..t).min_by_key(|&p| tt.share_at(&inst, e, p)).unwrap();
                tt.periods[e] = best as u16;
            }
        }
        if name == "tiny dated" {
            tt.periods[3] = UNPLACED;
            tt.periods[1] = tt.periods[2];
            tt.periods[2] = tt.periods[0];
        }
        if name == "pur-like" {
            for i in 0..5 {
                tt.periods[i * 10] = tt.periods[i * 10 + 1];
            }
        }
        let f = name.replace(' ', "-");
        for dark in [false, true] {
            let t0 = std::time::Instant::now();
            let g = timetable_grid(&inst, &tt, &GridOptions { dark, ..Default::default() });
            println!("{name} grid {}x{} shapes {} in {:?}", g.width, g.height, g.shapes.len(), t0.elapsed());
            let sc = png::largest_scale(&g, 1.5);
            let t0 = std::time::Instant::now();
            std::fs::write(
                out.join(format!("{f}-grid{}.png", if dark { "-dark" } else { "" })),
                png::to_png(&g, sc).unwrap(),
            )
            .unwrap();
            println!("png {:?}", t0.elapsed());
            if !dark {
                let t0 = std::time::Instant::now();
                let p = pdf::to_pdf(&g).unwrap();
                println!("pdf {} KB {:?}, svg {} KB", p.len() / 1024, t0.elapsed(), svg::to_svg(&g).len() / 1024);
            }
            let g = period_columns(&inst, &tt, &ColumnsOptions { dark, page: None });
            std::fs::write(
                out.join(format!("{f}-cols{}.png", if dark { "-dark" } else { "" })),
                png::to_png(&g, png::largest_scale(&g, 1.5)).unwrap(),
            )
            .unwrap();
            if !dark {
                let g = period_columns(&inst, &tt, &ColumnsOptions { dark, page: Some((842.0, 595.0)) });
                std::fs::write(out.join(format!("{f}-page.png")), png::to_png(&g, 2.0).unwrap()).unwrap();
            }
        }
    }
}
