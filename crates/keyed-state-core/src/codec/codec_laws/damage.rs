//! Bytes that a codec must survive: the encodings of samples, damaged in the ways that storage and
//! programmers damage bytes, and noise. The same in every run.

/// The bytes that mean something to one codec or another.
const TELLING: [u8; 5] = [0x00, 0x01, 0x02, 0x61, 0xFF];

pub(super) fn damaged(encodings: impl Iterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for bytes in encodings {
        all.extend((0..bytes.len().min(64)).map(|end| bytes[..end].to_vec()));
        for at in 0..bytes.len().min(64) {
            for bit in 0..8 {
                all.push(changed(&bytes, |bytes| bytes[at] ^= 1 << bit));
            }
            for byte in TELLING {
                all.push(changed(&bytes, |bytes| bytes[at] = byte));
            }
            all.push(changed(&bytes, |bytes| {
                bytes.remove(at);
            }));
        }
        for byte in TELLING {
            all.push(changed(&bytes, |bytes| bytes.push(byte)));
            all.push(changed(&bytes, |bytes| bytes.insert(0, byte)));
        }
    }
    all.extend(TELLING.map(|byte| vec![byte; 4096]));
    all.extend(noise());
    all
}

fn changed(bytes: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    change(&mut bytes);
    bytes
}

/// Half of any bytes, half of telling ones, of 1 to 32 bytes.
fn noise() -> impl Iterator<Item = Vec<u8>> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = move || {
        // Marsaglia's xorshift64.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_be_bytes()
    };
    (0..512).map(move |round| {
        (0..=round % 32)
            .map(|_| {
                let [high, low, ..] = next();
                if round < 256 { high } else { TELLING[usize::from(low) % TELLING.len()] }
            })
            .collect()
    })
}
