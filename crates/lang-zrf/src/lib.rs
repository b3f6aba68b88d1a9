//! Front end for Zillions rule files (ZRF).
