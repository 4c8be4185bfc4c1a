//! Pages with charts.
