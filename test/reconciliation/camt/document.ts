/** A camt.053 file for tests. */
export interface TestDocument {
  readonly version?: string;
  readonly entries?: readonly string[];
  readonly before?: string;
  readonly currency?: string;
}

/** Writes an entry: a debit of 100.00 INR unless given otherwise. */
export const entry = ({
  amount = "100.00",
  currency = "INR",
  direction = "DBIT",
  status = "BOOK",
  rest = "",
  details = "<TxDtls><Refs><EndToEndId>PR1</EndToEndId><TxId>WD1</TxId></Refs></TxDtls>",
}: Partial<
  Record<"amount" | "currency" | "direction" | "status" | "rest" | "details", string>
> = {}): string =>
  `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts>${status}</Sts>
<BookgDt><DtTm>2026-11-26T09:30:15Z</DtTm></BookgDt>${rest}<NtryDtls>${details}</NtryDtls></Ntry>`;

export const balance = (type: string, amount: string, more = "<Dt><Dt>2026-11-26</Dt></Dt>") =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="INR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>${more}</Bal>`;

export const document = ({
  version = "08",
  entries = [entry()],
  before = "",
  currency = "INR",
}: TestDocument = {}): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>
<GrpHdr><MsgId>M</MsgId></GrpHdr>
<Stmt><Id>S</Id><Acct><Id><Othr><Id>A</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>${before}
${entries.join("\n")}
</Stmt></BkToCstmrStmt></Document>
`;
