import { ADDRESS_LAWS } from "./addresses.ts";
import { CODE_LAWS } from "./codes.ts";
import { DECISION_LAWS } from "./decisions.ts";
import { LIFECYCLE_LAWS } from "./lifecycles.ts";
import { hold } from "../base/hold.ts";

hold({
  "codes and numbers": CODE_LAWS,
  "wallet addresses": ADDRESS_LAWS,
  decisions: DECISION_LAWS,
  "lifecycles, approval and reasons": LIFECYCLE_LAWS,
});
