import { keccak_256 } from "@noble/hashes/sha3.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { bech32, bech32m, createBase58check } from "@scure/base";

export type AddressVerdict = "valid" | "valid_without_checksum" | "bad_checksum" | "not_an_address";

const base58check = createBase58check(sha256);

/**
 * First byte of a decoded address, which identifies its network and kind. Test networks are not
 * listed.
 */
const TRON_VERSION = 0x41;
const BITCOIN_VERSIONS: readonly number[] = [0x00, 0x05];

interface ChainFacts {
  /** Completes the sentence "expected …". */
  readonly expected: string;
  readonly check: (address: string) => AddressVerdict;
}

/** The chains whose addresses can be validated. A new chain is a new line. */
// biome-ignore format: the columns are the point
export const CHAINS = {
  tron:    { expected: "a Tron address: T followed by 33 characters, with a valid checksum", check: checkTron },
  evm:     { expected: "an EVM address: 0x followed by 40 hexadecimal digits, in the letter case that its checksum requires", check: checkEvm },
  bitcoin: { expected: "a Bitcoin mainnet address (1…, 3… or bc1…), with a valid checksum", check: checkBitcoin },
} satisfies Record<string, ChainFacts>;

export type Chain = keyof typeof CHAINS;

/** Returns whether this is the name of a supported blockchain. */
export const isChain = (name: string): name is Chain => Object.hasOwn(CHAINS, name);

/**
 * Validates a wallet address by its own checksum. It does not show whether anybody owns the wallet.
 */
export function checkAddress(chain: Chain, address: string): AddressVerdict {
  return CHAINS[chain].check(address);
}

function checkTron(address: string): AddressVerdict {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)) return "not_an_address";
  const payload = decoded(() => base58check.decode(address));
  return payload?.length === 21 && payload[0] === TRON_VERSION ? "valid" : "bad_checksum";
}

/**
 * EIP-55: a hexadecimal letter is upper-case if the same digit of the Keccak-256 of the address is
 * 8 or more.
 */
function checkEvm(address: string): AddressVerdict {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return "not_an_address";
  const hex = address.slice(2);
  const lower = hex.toLowerCase();
  if (hex === lower || hex === hex.toUpperCase()) return "valid_without_checksum";

  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)));
  const right = [...lower].map((char, i) =>
    Number.parseInt(hash[i] ?? "0", 16) >= 8 ? char.toUpperCase() : char,
  );
  return right.join("") === hex ? "valid" : "bad_checksum";
}

function checkBitcoin(address: string): AddressVerdict {
  if (/^[13][1-9A-HJ-NP-Za-km-z]{24,34}$/.test(address)) {
    const payload = decoded(() => base58check.decode(address));
    const known = payload?.length === 21 && BITCOIN_VERSIONS.includes(payload[0] ?? -1);
    return known ? "valid" : "bad_checksum";
  }
  if (!/^(?:bc1[02-9ac-hj-np-z]{11,71}|BC1[02-9AC-HJ-NP-Z]{11,71})$/.test(address))
    return "not_an_address";
  return isSegwit(address.toLowerCase()) ? "valid" : "bad_checksum";
}

/**
 * BIP 173 for SegWit version 0, BIP 350 for 1 and above. The text length allows a program of 2 to
 * 40 bytes.
 */
function isSegwit(address: string): boolean {
  const version = "qpzry9x8gf2tvdw0s3jn54khce6mua7l".indexOf(address[3] ?? "");
  if (version > 16) return false;
  const coder = version === 0 ? bech32 : bech32m;
  const program = decoded(() => {
    const { words } = coder.decode(address as `${string}1${string}`);
    return coder.fromWords(words.slice(1));
  });
  if (!program) return false;
  if (version === 0) return program.length === 20 || program.length === 32;
  return version > 1 || program.length === 32;
}

/** The libraries throw on a wrong checksum, which is an expected result here. */
function decoded(decode: () => Uint8Array): Uint8Array | null {
  try {
    return decode();
  } catch {
    return null;
  }
}
