//! Topology of a board: sites, directions, links, zones, symmetries.
