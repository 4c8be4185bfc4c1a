//! The contract on the backend in memory.

use keyed_state_tests::Memory;

keyed_state_conformance::conformance_suite!(Memory);
