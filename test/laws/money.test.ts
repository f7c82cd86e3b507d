import { MONEY_LAWS } from "./money.ts";
import { hold } from "./hold.ts";

hold({
  money: MONEY_LAWS,
});
