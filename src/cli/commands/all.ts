/** One line per command. */
export { addAdminKeyCommand } from "./admin-key.ts";
export { addDoctorCommand } from "./doctor.ts";
export { addKeysCommand } from "./keys.ts";
export { addMigrateCommand } from "./migrate.ts";
export { addScrapeCommand } from "./scrape.ts";
export { addServeCommand } from "./serve.ts";
export { addTeamsCommand } from "./teams.ts";
