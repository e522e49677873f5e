// Stands in for a program that a test cannot run. It checks the arguments, and the files that they name, against rules below. Node
// and npm run for real where that ends in seconds. A server starts in the background; the command ends when the server is ready.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [program, ...args] = process.argv.slice(2).filter((one, index) => index > 0 || one !== '--');
const { SCRATCH: scratch, REPOSITORY: repository } = process.env;

/** The subcommands and options of each program, as the documents use them. */
const known = {
  podman: 'logs run --tail --rm --env-file --volume --read-only --tmpfs',
  systemctl: 'daemon-reload reset-failed enable disable start stop restart reload status --now',
  journalctl: '--unit --since --output --follow --no-pager -u -o',
  useradd: '--system --home-dir --shell',
  chown: '-R --recursive',
  findmnt: '--target',
  strace: '-f -y -s -e -o',
  git: 'switch --create',
  caddy: 'validate --config --adapter',
  nginx: '-t',
  promtool: 'check',
};
/** npm scripts that do not end by themselves, and what they print when they are ready. */
const servers = {
  start: /Everything runs on this machine/,
  bff: /listens on/,
  sandbox: /http:\/\//,
};

const run =
  {
    npm: runNpm,
    npx: runNpx,
    node: runNode,
    install: runInstall,
    scp: runScp,
    systemctl: runSystemctl,
    'funding-bff': runFundingBff,
  }[program] ?? check;
await run();

/** The program of the package, if the project has it. Other tools of npx have tests of their own. */
function runNpx() {
  const program = join('node_modules', args[0] ?? '', 'bff/main.js');
  const own = args.slice(1);
  // Otherwise the conformance test calls the funding service.
  if (!existsSync(program) || (own[0] === 'conformance' && !own.includes('--dry-run'))) return;
  // Without a command, the BFF serves.
  if (own.every((one) => one.startsWith('--dotenv=')))
    return startServer('npx', [program, ...own], servers.bff);
  runProgram([program, ...own]);
}

function check() {
  const words = known[program]?.split(' ');
  if (!words) stop(`${program} is not in the list of ${import.meta.filename}`);
  const isCommand = words.some((word) => !word.startsWith('-'));
  for (const [index, argument] of args.entries()) {
    const [name] = argument.split('=');
    if ((name.startsWith('-') || (isCommand && index === 0)) && !words.includes(name))
      stop(`${program} has no ${name} in ${import.meta.filename}`);
    checkPath(argument);
  }
}

/** A path of the scratch folder, or of the clone, must exist. `--volume` and others have a path before a colon. */
function checkPath(argument) {
  const [path] = argument.replace(/^--[\w-]+=/, '').split(':');
  const isOwn = path.startsWith(`${scratch}/`) || /^(?:examples|dist|docs|test|bff)\//.test(path);
  if (isOwn && !/[*$]/.test(path) && !existsSync(resolve(path)) && program !== 'useradd')
    stop(`${program}: ${path} does not exist`);
}

/** For real, but this machine has no user `funding`. */
function runInstall() {
  const own = args.filter((one, index) => ![one, args[index - 1]].some((it) => /^-[og]$/.test(it)));
  runProgram(own, '/usr/bin/install');
}

/** The server is this machine. */
function runScp() {
  const [target] = args.splice(-1);
  const folder = target.slice(target.indexOf(':') + 1);
  runProgram([...args, folder], 'cp');
}

/** Like examples/deployment/funding-bff, which test/release/deployment/systemd.test.ts checks. */
function runFundingBff() {
  runProgram([...readInstallation(), ...args]);
}

function runSystemctl() {
  check();
  const [command, ...own] = args.filter((one) => !one.startsWith('--'));
  const isStart = ['enable', 'start', 'restart'].includes(command);
  if (own.includes('funding-bff') && isStart)
    return startServer('unit', readInstallation(), /listens on/);
}

/** The arguments of Node in the unit. Variables of the environment replace those of bff.env. */
function readInstallation() {
  const environment = join(scratch, 'etc/funding/bff.env');
  return [
    ...(existsSync(environment) ? [`--env-file=${environment}`] : []),
    join(scratch, 'opt/funding', process.env['RELEASE'] ?? 'current', 'bff/main.js'),
  ];
}

async function runNpm() {
  const words = args.filter((one) => one !== '--silent');
  const script = words[0] === 'run' ? words[1] : words[0];
  const rest = words[0] === 'run' ? words.slice(2) : words.slice(1);
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  if (['install', 'publish', 'ci', 'init', 'audit'].includes(script)) return;
  if (!scripts[script]) stop(`package.json has no script ${script}`);
  if (rest.length > 0 && rest[0] !== '--') stop(`npm needs -- before ${rest[0]}`);
  const own = rest.slice(1);
  if (script === 'bff' && own.length > 0) return runProgram(['bff/main.ts', ...own]);
  if (servers[script]) {
    const [, file] = /node (\S+)/.exec(scripts[script]);
    return startServer(script, [join(scratch, 'clone', file)], servers[script]);
  }
  own.forEach(checkPath);
}

async function runNode() {
  const [file = '', ...own] = args;
  const isServer = file.endsWith('main.js') ? own.length === 0 : /server\.(?:ts|js)$/.test(file);
  if (isServer) return startServer(file, args, /listens on|http:\/\//);
  runProgram(args);
}

function runProgram(words, executable = process.execPath) {
  process.exitCode = spawnSync(executable, words, { stdio: 'inherit' }).status ?? 1;
}

async function startServer(name, words, ready) {
  const file = join(scratch, `server-${name.replaceAll(/\W/g, '-')}`);
  // The reader has stopped it.
  if (existsSync(`${file}.pid`)) await end(Number(readFileSync(`${file}.pid`, 'utf8')));
  const output = openSync(`${file}.log`, 'w');
  const server = spawn(process.execPath, words, {
    stdio: ['ignore', output, output],
    detached: true,
  });
  writeFileSync(`${file}.pid`, String(server.pid));
  const read = () => readFileSync(`${file}.log`, 'utf8');
  for (let waited = 0; server.exitCode === null && !ready.test(read()); waited += 50) {
    if (waited > 60_000) stop(`${name} is not ready: ${read()}`);
    await sleep(50);
  }
  server.unref();
  process.exitCode = server.exitCode ?? 0;
  // The lines of the log are JSON.
  const lines = read().split('\n');
  process.stdout.write(lines.filter((line) => !line.startsWith('{')).join('\n'));
}

async function end(pid) {
  const isAlive = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  if (!isAlive()) return;
  process.kill(-pid, 'SIGINT');
  while (isAlive()) await sleep(50);
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(99);
}
