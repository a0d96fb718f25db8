//! Export formats of a flow shop plan.

use crate::exporting::Format;

/// All formats, the commonest first.
pub static FORMATS: [Format; 8] = [
    Format { name: "PDF document", ending: "pdf", help: "The Gantt chart and the table of jobs to print" },
    Format { name: "SVG picture", ending: "svg", help: "The Gantt chart, to edit and to put on pages" },
    Format { name: "PNG picture", ending: "png", help: "The Gantt chart as pixels" },
    Format { name: "CSV table", ending: "csv", help: "One line per operation: job, machine, start, end" },
    Format { name: "Excel workbook", ending: "xlsx", help: "Sheets by job and by machine, and a summary" },
    Format { name: "Schedule", ending: "ron", help: "Order and all operations, for gridwright" },
    Format { name: "Order of jobs", ending: "sol", help: "The names of the jobs, one a line" },
    Format { name: "CSV of the front", ending: "front.csv", help: "Values and order of every plan of the front" },
];
