internal import BridgeJSON
internal import Foundation
internal import WebFixtures

/// What the engine needs of a document, in each world it uses there: the codec, calls, message handlers and user scripts.
///
/// It is put into each document before any of its scripts runs, and keeps the language's own functions as they are then. It
/// is under a name that nobody can guess, among the lexical globals, which no script can list.
struct PageKit {
    /// Of this page's kits.
    private let name: String
    /// That a kit takes away before the page's scripts run; each world has its own.
    private let secret: String

    init() {
        func random() -> String {
            (1...2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
        }
        name = "_\(random())"
        secret = "_\(random())"
    }

    func binding(of world: WorldName) -> String {
        "\(secret)_\(world.text.utf8.map { String($0, radix: 16) }.joined(separator: "_"))"
    }

    /// A call of the kit's.
    func call(_ function: String, _ arguments: JSON...) -> String {
        "\(name).\(function)(\(arguments.map(\.text).joined(separator: ",")))"
    }

    /// A function for the debugger's protocol: that of the kit, of `this`.
    func method(_ function: String) -> String { "function(){'use strict';return \(name).\(function)(this)}" }

    /// A user script in a document to come.
    ///
    /// - Parameter isProgram: whether it may declare something: a function's body keeps that to itself.
    func userScript(_ source: String, atStart: Bool, isForMainFrameOnly: Bool, isProgram: Bool) -> String {
        "\(name).\(atStart ? "atStart" : "atEnd")(\(isForMainFrameOnly),function(){\(source)\n},"
            + (isProgram ? JSON(source).text : "undefined") + ")"
    }

    /// A document that was kept while the page was elsewhere has not heard what was changed, and has the binding again.
    func restore(_ world: WorldName, handlers: [String]) -> String {
        "delete globalThis.\(binding(of: world));" + call("sync", .array(handlers.map { JSON($0) }))
    }

    func source(of world: WorldName) -> String {
        Self.template.replacingOccurrences(of: "$NAME", with: name)
            .replacingOccurrences(of: "$BINDING", with: binding(of: world))
    }

    private static func module(_ path: String) -> String {
        String(decoding: WebFixtures.contents("client/\(path).mjs") ?? [], as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("export ") ? $0.dropFirst("export ".count) : $0 }
            .joined(separator: "\n")
    }

    private static let template = """
        const $NAME = (() => {
        "use strict";
        const { apply, construct, ownKeys } = Reflect;
        const { parse, stringify } = JSON;
        const window = globalThis;
        const { document, $BINDING: native, eval: evaluate, queueMicrotask, reportError, top } = window;
        delete window.$BINDING;
        const {
          DOMException, Date, Error, FinalizationRegistry, Function, Map, MutationObserver, Promise, RangeError, RegExp, String,
          Symbol, TypeError, WeakMap, WeakSet,
        } = window;
        const statics = (from) => {
          const copy = { __proto__: null };
          const names = ownKeys(from);
          for (let index = 0; index < names.length; index++) copy[names[index]] = from[names[index]];
          return copy;
        };
        const Array = statics(window.Array);
        const ArrayBuffer = statics(window.ArrayBuffer);
        const Number = statics(window.Number);
        const Object = statics(window.Object);

        \(module("codec"))
        \(module("handlers"))
        \(kit)
        })();
        """

    private static let kit = #"""
        // Values: "=" and the tagged form, "!" and what was thrown, "?" for what cannot leave the page.

        function jsonText(json) {
          if (!("toJSON" in Array.prototype)) return stringify(json);
          if (json === null || typeof json !== "object") return stringify(json);
          let text = "";
          if (Array.isArray(json)) {
            for (let index = 0; index < json.length; index++) text += (index > 0 ? "," : "") + jsonText(json[index]);
            return `[${text}]`;
          }
          const names = Object.keys(json);
          for (let index = 0; index < names.length; index++) {
            text += `${index > 0 ? "," : ""}${stringify(names[index])}:${jsonText(json[names[index]])}`;
          }
          return `{${text}}`;
        }

        function bodyText(value) {
          try {
            return jsonText(encodeTagged(value));
          } catch (error) {
            throw error instanceof RangeError ? notCloneable() : error;
          }
        }

        function encodeResult(value) {
          try {
            return `=${bodyText(value)}`;
          } catch {
            return "?";
          }
        }

        function describe(thrown) {
          try {
            return `!${String(thrown)}`;
          } catch {
            return `!${tagText(thrown)}`;
          }
        }

        // Calls

        const AsyncFunction = (async () => {}).constructor;
        const register = uncurried(FinalizationRegistry.prototype.register);
        const lost = new FinalizationRegistry((reject) => reject("Completion handler for function call is no longer reachable"));

        /** Rejects when the promise is garbage, and so will never settle: then what it would call is garbage too. */
        function untilUnreachable(promise) {
          return new Promise((resolve, reject) => {
            const settlers = { resolve, reject };
            register(lost, settlers, reject);
            settle(promise, settlers);
          });
        }

        async function settle(promise, settlers) {
          try {
            settlers.resolve(await promise);
          } catch (error) {
            settlers.reject(error);
          }
        }

        async function call(parameters, values) {
          let value;
          try {
            value = await untilUnreachable(apply(construct(AsyncFunction, parameters), window, decode(parse(values))));
          } catch (error) {
            return describe(error);
          }
          return encodeResult(value);
        }

        // Message handlers

        let names;
        let lastID = 0;
        const live = { __proto__: null };
        const pending = { __proto__: null };

        function post(name, entry, body) {
          if (entry.isRemoved) return rejected(asException("InvalidAccessError"));
          let text;
          try {
            text = bodyText(body);
          } catch (error) {
            return rejected(error);
          }
          const id = ++lastID;
          return new Promise((resolve, reject) => {
            pending[id] = { resolve, reject };
            native(`${id} {"name":${stringify(name)},"body":${text}}`);
          });
        }

        function asException(name) {
          const isAccess = name === "InvalidAccessError";
          return isAccess ? new DOMException("The object does not support the operation or argument.", name) : notCloneable();
        }

        function add(name) {
          if (name in live) return;
          names ??= makeNamespaces(window);
          const entry = { isRemoved: false };
          live[name] = entry;
          const handler = new UserMessageHandler((body) => post(name, entry, body));
          Object.defineProperty(names, name, { value: handler, configurable: true });
        }

        function remove(name) {
          if (!(name in live)) return;
          live[name].isRemoved = true;
          delete live[name];
          delete names[name];
        }

        function sync(list) {
          const wanted = { __proto__: null };
          for (let index = 0; index < list.length; index++) wanted[list[index]] = true;
          const present = Object.keys(live);
          for (let index = 0; index < present.length; index++) if (!(present[index] in wanted)) remove(present[index]);
          for (let index = 0; index < list.length; index++) add(list[index]);
        }

        function fulfil(id, text) {
          take(id)?.resolve(decode(parse(text)));
        }

        function reject(id, text) {
          take(id)?.reject(new Error(text));
        }

        function refuse(id, name) {
          take(id)?.reject(asException(name));
        }

        function take(id) {
          const settlers = pending[id];
          delete pending[id];
          return settlers;
        }

        // User scripts

        const starts = [];
        const ends = [];
        let hasStarted = false;

        function start() {
          if (hasStarted) return;
          hasStarted = true;
          for (let index = 0; index < starts.length; index++) starts[index]();
        }

        function end() {
          start();
          for (let index = 0; index < ends.length; index++) ends[index]();
        }

        function atStart(isForMainFrameOnly, script, program) {
          if (starts.length === 0) {
            if (document.documentElement) queueMicrotask(start);
            else new MutationObserver(() => { if (document.documentElement) start(); }).observe(document, { childList: true });
          }
          schedule(starts, isForMainFrameOnly, script, program);
        }

        function atEnd(isForMainFrameOnly, script, program) {
          schedule(ends, isForMainFrameOnly, script, program);
        }

        function schedule(list, isForMainFrameOnly, script, program) {
          if (starts.length + ends.length === 0) window.addEventListener("DOMContentLoaded", end, { once: true, capture: true });
          list[list.length] = () => {
            if (isForMainFrameOnly && window !== top) return;
            try {
              if (program !== undefined && canEvaluate()) evaluate(program);
              else apply(script, window, []);
            } catch (error) {
              reportError(error);
            }
          };
        }

        function canEvaluate() {
          try {
            evaluate("0");
            return true;
          } catch {
            return false;
          }
        }

        return Object.freeze({
          __proto__: null, add, atEnd, atStart, call, describe, encode: encodeResult, fulfil, refuse, reject, remove, sync,
        });
        """#
}
