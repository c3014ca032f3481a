import { sandboxDrivers } from "./drivers.ts";
import { startBox } from "./box.ts";
import { makeBoxFolder } from "./box-folder.ts";
import { findSandbox } from "./open-sandbox.ts";

/** A process that starts boxes without an end, one after the other, until it is killed: some are at every stage then. */

const [driverName, mark = ""] = process.argv.slice(2);
const driver = sandboxDrivers.find(({ name }) => name === driverName);
if (!driver) throw new Error(`Unknown driver: ${driverName}`);
const sandbox = await findSandbox(driver);
if (typeof sandbox === "string") throw new Error(sandbox);
const { account, system } = sandbox;
const { mountPoint } = await makeBoxFolder(account);

const start = () => {
  const command = ["/bin/sh", "-c", "sleep 600", mark];
  startBox(sandbox, driver.launch({ system, mountPoint, mounts: [], command }));
};
process.stdout.write("starting\n");
setInterval(start, 1);
