import { expect, test } from "vitest";
import { type Chain, checkAddress } from "#payout/addresses.ts";

/** EIP-55, BIP 173 and BIP 350 print these; the Tron ones hold a random key hash. */
const VALID = [
  ["evm", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
  ["evm", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
  ["evm", "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB"],
  ["evm", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb"],
  ["bitcoin", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
  ["bitcoin", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"],
  ["bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  ["bitcoin", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"],
  ["bitcoin", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"],
  ["tron", "TYK2LXkv7YLPedVkXMfSU7x2kLpqRK6RNC"],
  ["tron", "THFpLdWHyteCPU6Sir7jKYYxwmzwdzdedb"],
] as const satisfies readonly (readonly [Chain, string])[];

test.each(VALID)("%s %s is valid", (chain, address) => {
  expect(checkAddress(chain, address)).toBe("valid");
});

test.each([
  ["bitcoin", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "not_an_address"], // test network
  ["bitcoin", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", "not_an_address"], // test network
  ["bitcoin", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", "bad_checksum"], // bech32 where bech32m is due
  ["bitcoin", "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P", "bad_checksum"], // 16 bytes in version 0
  ["bitcoin", "bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du", "bad_checksum"], // bech32 in version 2
  ["evm", "0x52908400098527886e0f7030069857d2e4169ee7", "valid_without_checksum"],
  ["evm", "0x52908400098527886E0F7030069857D2E4169EE7", "valid_without_checksum"],
  ["evm", "52908400098527886E0F7030069857D2E4169EE7", "not_an_address"],
  ["tron", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "not_an_address"],
  ["tron", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "not_an_address"],
  ["evm", "TYK2LXkv7YLPedVkXMfSU7x2kLpqRK6RNC", "not_an_address"],
] as const)("%s %s: %s", (chain, address, verdict) => {
  expect(checkAddress(chain, address)).toBe(verdict);
});
