//! The hot core of Mohs: text in, arrays out.
//!
//! It reads judgments and runs, ranks, and matches documents to judgments; it shuffles
//! gains over documents, and arranges topics by their formulations; it cuts texts into
//! tokens, stems them, and makes indexes of them. Nothing here knows a measure. Faults of the input are returned as data.

pub mod assemble;
pub mod corpus;
pub mod fault;
pub mod formulations;
pub mod gather;
pub mod invert;
pub mod judgments;
pub mod number;
pub mod permute;
pub mod philox;
pub mod porter;
pub mod rank;
pub mod resolve;
pub mod runs;
pub mod scan;
pub mod search;
pub mod source;
pub mod table;
pub mod tokens;
pub mod unpack;

mod python;
