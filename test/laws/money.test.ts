import { MONEY_LAWS } from "./money.ts";
import { hold } from "./base/hold.ts";

hold({
  money: MONEY_LAWS,
});
