//! How faults and the cases that must catch them are listed.

/// For each fault, cases that must catch it: one of the laws where it can be seen there, and the contract's rule that it breaks
/// for users of the backend. `$fails` runs a case by its name and says whether it failed.
macro_rules! each_fault_is_caught {
    ($faults:ident, $fails:ident; $($test:ident: $fault:ident by $($case:ident),+;)*) => {
        $(
            #[test]
            fn $test() {
                for case in [$(stringify!($case)),+] {
                    assert!($fails(case, Some($faults::$fault)), "{case} does not see it");
                }
            }
        )*

        #[test]
        fn every_fault_is_in_the_table() {
            let tested = [$($faults::$fault),*];
            assert!($faults::ALL.iter().all(|fault| tested.contains(fault)));
        }
    };
}
