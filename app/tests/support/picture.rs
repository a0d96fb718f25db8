//! Pictures of what a harness shows, painted on the CPU and compared with the stored ones in `tests/pictures`.
//!
//! The meshes of egui are filled triangle by triangle (top-left rule, textures sampled bilinearly, colours blended
//! premultiplied in gamma space, as the renderers of eframe do). Pictures are stored at half their size with 16 levels a
//! channel. `UPDATE_PICTURES=1` stores what is drawn now; look at every changed picture before it is committed.
//! `GUIDE_PICTURES=1` stores those that the pages of `docs/` show, at their full size.

// Measurements use a part of this module.
#![allow(dead_code)]

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use egui::epaint::{Primitive, Vertex};
use egui::{Color32, ColorImage, Id, Mesh, Rect, TextureFilter, TextureId, TexturesDelta};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, HarnessBuilder, TestRenderer};
use gridwright_window::theme;

/// Largest difference of a channel that counts as equal: 8 for the levels of stored pictures, the rest for rounding.
const TOLERANCE: u8 = 32;
/// Number of pixels that may differ: another mathematical library may round the edge of a curve differently.
const FEW: usize = 12;
/// Width in points of the empty frame around the window of a harness.
const FRAME: f32 = 8.0;
/// Distance in points from the edge of a panel to its heading.
const PANEL_MARGIN: f32 = 14.0;
/// Distance of the levels of a channel in stored pictures.
const LEVEL: u8 = 17;
/// Time for threads to deliver what a picture shows.
const PATIENCE: Duration = Duration::from_secs(5);

/// Pictures of the pages of `docs/` that tests take: the name here and the one in `assets/pictures/guide`.
const GUIDE: [(&str, &str); 26] = [
    ("contents-knapsack-light", "systolic-contents"),
    ("evolution-population-light", "evolution"),
    ("evolution-rules", "evolution-rules"),
    ("genetic-child-light", "systolic-child"),
    ("glossary-light", "glossary"),
    ("layout-alternatives-light", "layout-alternatives"),
    ("layout-distances-light", "layout-distances"),
    ("layout-edited-light", "layout-edited"),
    ("layout-plant-flows-light", "layout-flows"),
    ("layout-plant-light", "floor-plan"),
    ("layout-underlay-drawing-light", "layout-underlay"),
    ("lesson-tabu-light", "lesson"),
    ("shop-edited-light", "shop-edited"),
    ("shop-front-light", "shop-front"),
    ("shop-gantt-light", "gantt"),
    ("shop-lateness-light", "shop-lateness"),
    ("shop-efficiency-light", "shop-efficiency"),
    ("shop-steps-recurrence-light", "steps"),
    ("shop-steps-tabu-light", "steps-tabu"),
    ("systolic-bits-light", "systolic-bits"),
    ("systolic-diversity-light", "systolic-diversity"),
    ("systolic-flavours-light", "systolic-flavours"),
    ("systolic-grid-light", "systolic-grid"),
    ("systolic-operators-light", "systolic-operators"),
    ("systolic-releases-light", "systolic-releases"),
    ("systolic-rules", "systolic-rules"),
];

/// Textures of a harness by their identity, and whether they are magnified without interpolation.
#[derive(Clone, Default)]
struct Textures(Arc<Mutex<HashMap<TextureId, (ColorImage, bool)>>>);

impl TestRenderer for Textures {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        let mut textures = self.0.lock().unwrap();
        for (id, changes) in delta.set.drain() {
            for change in changes {
                let egui::ImageData::Color(patch) = change.image;
                let Some([left, top]) = change.pos else {
                    let nearest = change.options.magnification == TextureFilter::Nearest;
                    textures.insert(id, ((*patch).clone(), nearest));
                    continue;
                };
                let (whole, _) = textures.get_mut(&id).expect("a patch changes a texture that is there");
                for (row, line) in patch.pixels.chunks_exact(patch.size[0]).enumerate() {
                    let from = (top + row) * whole.size[0] + left;
                    whole.pixels[from..from + line.len()].copy_from_slice(line);
                }
            }
        }
        for id in delta.free.drain() {
            textures.remove(&id);
        }
    }
}

/// Lets a harness be painted, with the theme of the program.
pub fn painted<S>(builder: HarnessBuilder<S>) -> HarnessBuilder<S> {
    let textures = Textures::default();
    builder.renderer(textures.clone()).with_context_setup(move |context| {
        theme::install(context);
        context.data_mut(|data| data.insert_temp(Id::NULL, textures));
    })
}

/// Paints the whole window of a harness that was built with [`painted`].
pub fn paint<S>(harness: &Harness<'_, S>) -> ColorImage {
    let textures: Textures = harness.ctx.data(|data| data.get_temp(Id::NULL)).expect("the harness is painted");
    let textures = textures.0.lock().unwrap();
    let size = harness.ctx.content_rect().size();
    let mut target = ColorImage::filled([size.x.round() as usize, size.y.round() as usize], Color32::BLACK);
    for primitive in harness.ctx.tessellate(harness.output().shapes.clone(), 1.0) {
        let Primitive::Mesh(mesh) = primitive.primitive else { panic!("paint callbacks need a graphics card") };
        let (texture, nearest) = &textures[&mesh.texture_id];
        fill(&mut target, primitive.clip_rect, &mesh, texture, *nearest);
    }
    target
}

fn fill(target: &mut ColorImage, clip: Rect, mesh: &Mesh, texture: &ColorImage, nearest: bool) {
    let [width, height] = target.size;
    let inside = |value: f32, end: usize| value.round().clamp(0.0, end as f32) as usize;
    let (left, right) = (inside(clip.left(), width), inside(clip.right(), width));
    let (top, bottom) = (inside(clip.top(), height), inside(clip.bottom(), height));
    for corners in mesh.indices.chunks_exact(3) {
        let mut corners: [&Vertex; 3] = std::array::from_fn(|corner| &mesh.vertices[corners[corner] as usize]);
        let place = |vertex: &Vertex| (f64::from(vertex.pos.x), f64::from(vertex.pos.y));
        // Twice the area to the right of the line from `a` to `b`; exact for coordinates of a window.
        let side = |a: (f64, f64), b: (f64, f64), p: (f64, f64)| (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0);
        let area = side(place(corners[0]), place(corners[1]), place(corners[2]));
        if area < 0.0 {
            corners.swap(1, 2);
        }
        let points = corners.map(place);
        let area = area.abs();
        if area == 0.0 {
            continue;
        }
        let edges = [(points[1], points[2]), (points[2], points[0]), (points[0], points[1])];
        // A pixel whose centre lies on an edge belongs to the triangle below or to the right of that edge.
        let owns = edges.map(|(a, b)| b.1 < a.1 || (b.1 == a.1 && b.0 > a.0));
        let flat = corners.iter().all(|corner| corner.color == corners[0].color && corner.uv == corners[0].uv);
        let constant = shade(corners, [1.0, 0.0, 0.0], texture, nearest);
        let low = |axis: fn(&(f64, f64)) -> f64| {
            points.iter().map(axis).fold(f64::INFINITY, f64::min).floor().max(0.0) as usize
        };
        let high = |axis: fn(&(f64, f64)) -> f64| points.iter().map(axis).fold(0.0, f64::max).ceil() as usize;
        for y in low(|point| point.1).max(top)..high(|point| point.1).min(bottom) {
            for x in low(|point| point.0).max(left)..high(|point| point.0).min(right) {
                let centre = (x as f64 + 0.5, y as f64 + 0.5);
                let weights = edges.map(|(a, b)| side(a, b, centre));
                if (0..3).all(|edge| weights[edge] > 0.0 || (weights[edge] == 0.0 && owns[edge])) {
                    let source = if flat {
                        constant
                    } else {
                        shade(corners, weights.map(|weight| (weight / area) as f32), texture, nearest)
                    };
                    let pixel = &mut target.pixels[y * width + x];
                    let keep = 1.0 - source[3] / 255.0;
                    let blend = |below: u8, above: f32| (above + f32::from(below) * keep + 0.5) as u8;
                    *pixel = Color32::from_rgb(
                        blend(pixel.r(), source[0]),
                        blend(pixel.g(), source[1]),
                        blend(pixel.b(), source[2]),
                    );
                }
            }
        }
    }
}

/// Colour of a triangle at the barycentric coordinates `weights`: premultiplied red, green, blue and alpha from 0 to 255.
fn shade(corners: [&Vertex; 3], weights: [f32; 3], texture: &ColorImage, nearest: bool) -> [f32; 4] {
    let mix =
        |value: &dyn Fn(&Vertex) -> f32| (0..3).map(|corner| weights[corner] * value(corners[corner])).sum::<f32>();
    let [width, height] = texture.size;
    let (u, v) = (mix(&|corner| corner.uv.x) * width as f32, mix(&|corner| corner.uv.y) * height as f32);
    let texel = |x: f32, y: f32| {
        let index = |value: f32, end: usize| value.clamp(0.0, (end - 1) as f32) as usize;
        texture.pixels[index(y, height) * width + index(x, width)].to_array().map(f32::from)
    };
    let sample = if nearest {
        texel(u.floor(), v.floor())
    } else {
        let (x, y) = ((u - 0.5).floor(), (v - 0.5).floor());
        let (right, down) = (u - 0.5 - x, v - 0.5 - y);
        let quarters = [texel(x, y), texel(x + 1.0, y), texel(x, y + 1.0), texel(x + 1.0, y + 1.0)];
        std::array::from_fn(|channel| {
            let above = quarters[0][channel] * (1.0 - right) + quarters[1][channel] * right;
            let below = quarters[2][channel] * (1.0 - right) + quarters[3][channel] * right;
            above * (1.0 - down) + below * down
        })
    };
    std::array::from_fn(|channel| mix(&|corner| f32::from(corner.color.to_array()[channel])) * sample[channel] / 255.0)
}

/// Pictures of one test; all are compared before the test fails.
#[derive(Default)]
pub struct Pictures {
    failures: Vec<String>,
}

impl Pictures {
    /// Compares a part of the window in points, or all of it, with the stored picture of this name.
    ///
    /// Waits for all background threads first. Leave out the list of devices, which differs between machines.
    pub fn take<S>(&mut self, harness: &mut Harness<'_, S>, part: impl Into<Option<Rect>>, name: &str) {
        let part = part.into();
        if std::env::var_os("GUIDE_PICTURES").is_some() {
            return show_in_guide(harness, part, name);
        }
        let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pictures/{name}.png"));
        if std::env::var_os("UPDATE_PICTURES").is_some() {
            wait_for_threads(harness);
            return store(&halved(&part_of(harness, part)), &stored, LEVEL);
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            let drawn = halved(&part_of(harness, part));
            let Err(difference) = compare(&drawn, &stored) else { return };
            if Instant::now() > deadline {
                let seen = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
                store(&drawn, &seen, LEVEL);
                return self.failures.push(format!("{name}: {difference}, see {}", seen.display()));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Steps until background threads have delivered what the window shows.
fn wait_for_threads<S>(harness: &mut Harness<'_, S>) {
    let deadline = Instant::now() + Duration::from_millis(300);
    while Instant::now() < deadline {
        harness.step();
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Stores a part of the window for the pages of `docs/` if `GUIDE_PICTURES` is set and they show a picture of this name.
pub fn show_in_guide<S>(harness: &mut Harness<'_, S>, part: Option<Rect>, name: &str) {
    let shown = GUIDE.iter().find(|(taken, _)| *taken == name);
    let Some((_, shown)) = shown.filter(|_| std::env::var_os("GUIDE_PICTURES").is_some()) else { return };
    harness.ctx.set_theme(egui::Theme::Light);
    wait_for_threads(harness);
    // A view without the panel below it.
    let panel = harness.query_by_label("Convergence").map(|heading| heading.rect().top() - PANEL_MARGIN);
    let window = harness.ctx.content_rect().shrink(FRAME);
    let part = part.map(|part| part.with_max_y(panel.unwrap_or(f32::MAX).min(part.bottom())).intersect(window));
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/pictures/guide");
    store(&part_of(harness, part), &guide.join(format!("{shown}.png")), 1);
}

/// Paints a part of the window after a few frames.
fn part_of<S>(harness: &mut Harness<'_, S>, part: Option<Rect>) -> ColorImage {
    harness.run_steps(6);
    let whole = paint(harness);
    part.map_or_else(|| whole.clone(), |part| whole.region(&part, None))
}

/// Compares with a stored picture.
///
/// # Errors
/// The difference in words: no picture, another size, or more than a few pixels.
fn compare(drawn: &ColorImage, stored: &Path) -> Result<(), String> {
    let expected = image::open(stored).map_err(|error| format!("no picture is stored ({error})"))?.to_rgb8();
    if [expected.width() as usize, expected.height() as usize] != drawn.size {
        return Err(format!("{:?} pixels instead of {:?}", drawn.size, expected.dimensions()));
    }
    let differs = |(drawn, expected): &(&Color32, &image::Rgb<u8>)| {
        drawn.to_array().iter().zip(expected.0).any(|(one, other)| one.abs_diff(other) > TOLERANCE)
    };
    let count = drawn.pixels.iter().zip(expected.pixels()).filter(differs).count();
    if count > FEW { Err(format!("{count} pixels differ")) } else { Ok(()) }
}

impl Drop for Pictures {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || self.failures.is_empty(), "{}", self.failures.join("\n"));
    }
}

/// A picture of half the width and height: each pixel is the mean of four.
fn halved(picture: &ColorImage) -> ColorImage {
    let [width, height] = [picture.size[0] / 2, picture.size[1] / 2];
    let mean = |x: usize, y: usize, channel: usize| {
        let at = |dx: usize, dy: usize| picture.pixels[(2 * y + dy) * picture.size[0] + 2 * x + dx].to_array()[channel];
        ((u16::from(at(0, 0)) + u16::from(at(1, 0)) + u16::from(at(0, 1)) + u16::from(at(1, 1)) + 2) / 4) as u8
    };
    let pixel = |index: usize| (index % width, index / width);
    let pixels =
        (0..width * height).map(pixel).map(|(x, y)| Color32::from_rgb(mean(x, y, 0), mean(x, y, 1), mean(x, y, 2)));
    ColorImage::new([width, height], pixels.collect())
}

/// Writes a picture whose channels are multiples of `step`, with a palette where it has at most 256 colours.
fn store(picture: &ColorImage, path: &Path, step: u8) {
    let step = u16::from(step);
    let level = |value: u8| ((u16::from(value) + step / 2) / step * step) as u8;
    let colours: Vec<[u8; 3]> =
        picture.pixels.iter().map(|pixel| [pixel.r(), pixel.g(), pixel.b()].map(level)).collect();
    let palette: BTreeSet<[u8; 3]> = colours.iter().copied().collect();
    let palette: Vec<[u8; 3]> = palette.into_iter().collect();
    let mut file = std::fs::File::create(path).unwrap();
    let mut encoder = png::Encoder::new(&mut file, picture.size[0] as u32, picture.size[1] as u32);
    encoder.set_compression(png::Compression::High);
    let data = if palette.len() <= 256 {
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(palette.concat());
        encoder.set_filter(png::Filter::NoFilter);
        colours.iter().map(|colour| palette.binary_search(colour).unwrap() as u8).collect()
    } else {
        encoder.set_color(png::ColorType::Rgb);
        colours.concat()
    };
    encoder.write_header().unwrap().write_image_data(&data).unwrap();
}
