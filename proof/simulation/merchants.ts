import { makeKeyring, merchantOf } from "#gateway/keyring.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";
import { merchantsOf } from "./gateway/message.ts";
import { CURRENCIES } from "./scenario.ts";

const MERCHANTS = DEMO_MERCHANTS.filter(({ currencies }) =>
  currencies.some((currency) => currency in CURRENCIES),
);

/** The same accounts as payrun knows them, and as the gateway does. */
export const KEYRING = makeKeyring(MERCHANTS.map(merchantOf));
export const GATEWAY_MERCHANTS = merchantsOf(MERCHANTS);
