import type { Schedules } from "#cli/schedule/schedules.ts";
import type { Server } from "#cli/terminal/server.ts";

/** The schedules of a server. */
export function schedulesThere(server: Server): Schedules {
  return {
    list: async () => (await server.call("GET /api/schedules")).items,
    show: (id) => server.call("GET /api/schedules/:id", { params: { id } }),
    create: async (body) => (await server.call("POST /api/schedules", { body })).id,
    async steer(id, how, reason) {
      const order = { params: { id }, body: { reason } };
      await server.call(`POST /api/schedules/:id/${how}`, order);
    },
    async decide(id, day, decision, reason) {
      const order = { params: { id, day }, body: { decision, reason } };
      await server.call("POST /api/schedules/:id/occurrences/:day/decide", order);
    },
  };
}
