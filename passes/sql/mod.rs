//! Passes for SQL.

pub(crate) mod selects;
pub(crate) mod table_columns;
