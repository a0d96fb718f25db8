//! What readers take and refuse, file by file.
