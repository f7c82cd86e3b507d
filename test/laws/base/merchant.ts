import { makeKeyring, merchantOf } from "#gateway/wire/keyring.ts";

/** One merchant with a key that contains every character that encodings may change. */
export const merchant = merchantOf({
  currencies: ["INR"],
  merchant_code: "SKU-LAW",
  api_key: "aK3y%3D+/==.with_signs",
  api_secret: "s3cr3t%2B/=",
  payout_code: "P001",
});

export const keyring = makeKeyring([merchant]);
export const cipher = keyring.cipherOf(merchant);
