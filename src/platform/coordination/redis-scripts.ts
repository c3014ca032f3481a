import { createHash } from "node:crypto";

import type { RedisScript } from "../redis/redis-connection.ts";

/** What the server says once its data was deleted. */
const LOST = "LOST The data on Redis was deleted.";

function script(text: string): RedisScript {
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}

/** Is in the hash of seats as long as nothing was deleted. */
export const GUARD_FIELD = "guard";

const GUARD = `if redis.call('HEXISTS', KEYS[1], '${GUARD_FIELD}') == 0 then return redis.error_reply('${LOST}') end`;

/**
 * KEYS: seats, window. ARGV: text that is expected, new text, milliseconds that it is kept.
 * Answers 1, or the text that is there instead.
 */
export const SWAP_WINDOW = script(`${GUARD}
local found = redis.call('GET', KEYS[2]) or ''
if found ~= ARGV[1] then return found end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 1`);

/**
 * KEYS: seats. ARGV: field of the slot, text that is expected, new text, channel, message or nothing.
 * Answers 1, or the text that is there instead.
 */
export const SWAP_SEATS = script(`${GUARD}
local found = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if found ~= ARGV[2] then return found end
if found == ARGV[3] then return 1 end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
if ARGV[5] ~= '' then redis.call('PUBLISH', ARGV[4], ARGV[5]) end
return 1`);

/** KEYS: seats. ARGV: field of the slot. Answers its text, or null. */
export const READ_SEATS = script(`${GUARD}
return redis.call('HGET', KEYS[1], ARGV[1])`);
