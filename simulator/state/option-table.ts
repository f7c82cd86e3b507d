/** Command-line options of the simulator, one line each, read by both of its entry points. */
export interface OptionText {
  readonly flag: string;
  readonly value: string;
  readonly default: string | null;
  readonly help: string;
}

// biome-ignore format: the table is easier to read in columns
export const OPTIONS: readonly OptionText[] = [
  { flag: "port",         value: "port",     default: "4010",                          help: "port to listen on; 0 chooses a free port" },
  { flag: "host",         value: "address",  default: "127.0.0.1",                     help: "address to listen on" },
  { flag: "faults",       value: "file",     default: null,                            help: "JSON file of fault rules (docs/start/simulator.md)" },
  { flag: "seed",         value: "n",        default: "1",                             help: "random seed" },
  { flag: "transaction-log", value: "file",     default: ".payrun/simulator-transactions.jsonl",  help: "transaction log: a file of JSON lines" },
  { flag: "settle-ms",    value: "ms",       default: "2000",                          help: "milliseconds from acceptance to the final state" },
  { flag: "declines",     value: "share",    default: "0",                             help: "share of accepted payouts that fail, 0 to 1" },
  { flag: "fee",          value: "percent",  default: "0",                             help: "fee of each settled payout, as a percentage of its amount, such as 0.5" },
  { flag: "merchants",    value: "file",     default: null,                            help: "merchants file; without it, the demo merchants" },
  { flag: "balance",      value: "list",     default: null,                            help: "balance for payouts, such as INR=1000,THB=50" },
  { flag: "refusals",     value: "style",    default: "200",                           help: "HTTP status of refusals: 200 (documented) or 400 (newer gateways)" },
  { flag: "unknown",      value: "shape",    default: "success_false",                 help: "status answer for an unknown code: success_false, empty_array or no_data" },
  { flag: "dialect",      value: "kind",     default: "specification",                 help: "required fields: specification, or clients (accepts requests as real clients send them)" },
  { flag: "escaping",     value: "kind",     default: "none",                          help: "escaping of name=value: none or percent" },
  { flag: "expire-ms",    value: "ms",       default: "900000",                        help: "milliseconds that a deposit waits for its payer" },
  { flag: "zone",         value: "label",    default: "GMT 05:30",                     help: "zone of expired_at: GMT 05:30 or GMT+05:30" },
  { flag: "callback-url", value: "url",      default: null,                            help: "callback URL of the back office, used in addition to the request's own" },
];
