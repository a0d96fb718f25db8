//! Export formats of a layout.

use crate::exporting::Format;

/// All formats, the commonest first.
pub static FORMATS: [Format; 8] = [
    Format {
        name: "PDF document",
        ending: "pdf",
        help: "The floor plan to print, with flows and without, and all departments",
    },
    Format {
        name: "DXF drawing",
        ending: "dxf",
        help: "For drawing programs, to scale: walls, bays, departments, names, flows",
    },
    Format { name: "SVG picture", ending: "svg", help: "The floor plan, to edit and to put on pages" },
    Format { name: "PNG picture", ending: "png", help: "The floor plan as pixels" },
    Format { name: "CSV table", ending: "csv", help: "One line per department: bay, place, position, size, shape" },
    Format { name: "Excel workbook", ending: "xlsx", help: "Sheets of departments, bays and costs by pair" },
    Format { name: "Layout", ending: "ron", help: "The departments bay by bay, for gridwright" },
    Format { name: "Layout as text", ending: "sol", help: "The names of the departments, a bay a line" },
];
