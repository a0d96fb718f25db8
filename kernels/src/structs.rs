//! Structs that cross to the kernels, each declared once in Rust and compared with its declaration in the CUDA sources.
//!
//! `kernel_struct!` defines a `#[repr(C)]` struct, converts it to and from the bytes that a kernel sees, and records name, size and fields as a
//! [`StructLayout`]. The CUDA emulator compiles every module with a `static_assert` for each size and offset of [`layouts`] and for each value of
//! [`constants`], so a field that is added, moved or resized on one side only does not compile there.

use crate::Module;

/// Field of a struct: its name in the CUDA sources, its offset and size in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldLayout {
    /// Name, which is the same in Rust and in the CUDA sources.
    pub name: &'static str,
    /// Offset in bytes.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
}

/// Memory layout of a struct without padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StructLayout {
    /// Name in the CUDA sources.
    pub name: &'static str,
    /// Size in bytes.
    pub size: usize,
    /// Fields by ascending offset.
    pub fields: &'static [FieldLayout],
}

/// Defines a `#[repr(C)]` struct that kernels read or write as `$cuda`, with a layout and conversions to and from bytes.
macro_rules! kernel_struct {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident = $cuda:literal {
            $($(#[$field_meta:meta])* $field_visibility:vis $field:ident: $type:ty,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[repr(C)]
        $visibility struct $name {
            $($(#[$field_meta])* $field_visibility $field: $type,)+
        }

        impl $name {
            pub(crate) const LAYOUT: $crate::structs::StructLayout = $crate::structs::StructLayout {
                name: $cuda,
                size: size_of::<Self>(),
                fields: &[$($crate::structs::FieldLayout {
                    name: stringify!($field),
                    offset: std::mem::offset_of!(Self, $field),
                    size: size_of::<$type>(),
                },)+],
            };
        }

        const _: () = assert!(0 $(+ size_of::<$type>())+ == size_of::<$name>(), "a kernel struct has no padding");

        impl $crate::Element for $name {
            const BYTES: usize = size_of::<Self>();

            fn append(self, bytes: &mut Vec<u8>) {
                $($crate::Element::append(self.$field, bytes);)+
            }

            fn of(bytes: &[u8]) -> Self {
                Self {
                    $($field: {
                        let begin = std::mem::offset_of!(Self, $field);
                        $crate::Element::of(&bytes[begin..begin + size_of::<$type>()])
                    },)+
                }
            }
        }
    };
}
pub(crate) use kernel_struct;

/// Layouts of all structs that the launches of a module pass, upload or read.
pub fn layouts(module: Module) -> &'static [StructLayout] {
    match module {
        Module::Annealing => crate::annealing::STRUCTS,
        Module::Evolution => crate::evolution::STRUCTS,
        Module::Makespan => &[],
        Module::Facility => crate::facility::STRUCTS,
        Module::Front => crate::front::STRUCTS,
        Module::Greedy => crate::greedy::STRUCTS,
        Module::Systolic => crate::systolic::STRUCTS,
        Module::Baselines => crate::systolic::BASELINE_STRUCTS,
        Module::Seating => crate::seating::STRUCTS,
    }
}

/// Constants that a module's CUDA sources and its launches both declare: name in the CUDA sources and value in Rust.
pub fn constants(module: Module) -> &'static [(&'static str, u64)] {
    match module {
        Module::Annealing => crate::annealing::CONSTANTS,
        Module::Evolution => crate::evolution::CONSTANTS,
        // `makespan.cu` takes all numbers as arguments.
        Module::Makespan => &[],
        Module::Facility => crate::facility::CONSTANTS,
        Module::Front => crate::front::CONSTANTS,
        Module::Greedy => crate::greedy::CONSTANTS,
        Module::Systolic => crate::systolic::CONSTANTS,
        Module::Baselines => crate::systolic::BASELINE_CONSTANTS,
        Module::Seating => crate::seating::CONSTANTS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Element;

    kernel_struct! {
        /// Example with every kind of field.
        struct Example = "Example" {
            key: u64,
            weights: [f64; 2],
            numbers: [u32; 3],
            flag: u32,
        }
    }

    #[test]
    fn bytes_are_those_of_the_fields_in_order() {
        let example = Example { key: 1, weights: [0.5, -2.0], numbers: [7, 8, 9], flag: 3 };
        let mut bytes = Vec::new();
        example.append(&mut bytes);
        assert_eq!(bytes.len(), 40);
        assert_eq!(
            (&bytes[..8], &bytes[24..28], &bytes[36..]),
            (&[1, 0, 0, 0, 0, 0, 0, 0][..], &[7, 0, 0, 0][..], &[3, 0, 0, 0][..])
        );
        assert_eq!(Example::of(&bytes), example);
        let fields: Vec<_> =
            Example::LAYOUT.fields.iter().map(|field| (field.name, field.offset, field.size)).collect();
        assert_eq!(fields, [("key", 0, 8), ("weights", 8, 16), ("numbers", 24, 12), ("flag", 36, 4)]);
    }

    #[test]
    fn fields_cover_each_struct_without_gaps() {
        for layout in Module::ALL.iter().flat_map(|&module| layouts(module)) {
            let end = layout.fields.iter().fold(0, |end, field| {
                assert_eq!(field.offset, end, "{}.{}", layout.name, field.name);
                end + field.size
            });
            assert_eq!(end, layout.size, "{}", layout.name);
        }
    }
}
