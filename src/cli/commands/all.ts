/** One line per command. */
export { addDoctorCommand } from "./doctor.ts";
export { addKeysCommand } from "./keys.ts";
export { addMigrateCommand } from "./migrate.ts";
export { addScrapeCommand } from "./scrape.ts";
export { addServeCommand } from "./serve.ts";
