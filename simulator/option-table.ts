/** Command-line options of the simulator, one line each, read by both of its entry points. */
export interface OptionText {
  readonly flag: string;
  readonly value: string;
  readonly default: string | null;
  readonly help: string;
}

// biome-ignore format: the columns are the point
export const OPTIONS: readonly OptionText[] = [
  { flag: "port",         value: "port",     default: "4010",                          help: "0: choose a free port" },
  { flag: "host",         value: "address",  default: "127.0.0.1",                     help: "address to listen on" },
  { flag: "faults",       value: "file",     default: null,                            help: "JSON file of fault rules (docs/simulator.md)" },
  { flag: "seed",         value: "n",        default: "1",                             help: "random seed" },
  { flag: "transaction-log", value: "file",     default: ".payrun/simulator-transactions.jsonl",  help: "transaction log, one JSON line each" },
  { flag: "settle-ms",    value: "ms",       default: "2000",                          help: "time from acceptance to the final state" },
  { flag: "declines",     value: "share",    default: "0",                             help: "share of accepted payouts that fail, 0 to 1" },
  { flag: "merchants",    value: "file",     default: null,                            help: "merchants file; the demo merchants without one" },
  { flag: "balance",      value: "list",     default: null,                            help: "balance left for payouts, as INR=1000,THB=50" },
  { flag: "refusals",     value: "style",    default: "200",                           help: "HTTP status of refusals: 200 as documented, 400 as newer gateways" },
  { flag: "unknown",      value: "shape",    default: "success_false",                 help: "status of an unknown code: success_false, empty_array, no_data" },
  { flag: "dialect",      value: "kind",     default: "specification",                 help: "required fields: specification, clients (accepts what real clients leave out)" },
  { flag: "escaping",     value: "kind",     default: "none",                          help: "how name=value is read: none, percent" },
  { flag: "expire-ms",    value: "ms",       default: "900000",                        help: "how long a deposit waits for its payer" },
  { flag: "zone",         value: "label",    default: "GMT 05:30",                     help: "zone of expired_at, GMT 05:30 or GMT+05:30" },
  { flag: "callback-url", value: "url",      default: null,                            help: "back-office callback address, notified in addition to the request's own" },
];
