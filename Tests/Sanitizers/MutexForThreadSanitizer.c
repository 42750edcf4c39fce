// Tells the thread sanitizer about `Synchronization.Mutex` where several threads want it at once.
//
// The sanitizer sees what it has instrumented. Of `Mutex` on Linux that is the quick way in and out, which is inlined
// into its users; the slow way is in libswiftSynchronization.so, which is not instrumented. So a thread that had to wait
// for the lock seems to go in without it, and a correct program of five lines is reported as a race. Suppressing those
// reports would hide every race in a function that takes a lock. Instead, these stand before the library's own
// functions, call them, and say what they are: an acquisition and a release of the mutex at that address.
//
// Linked in by `Tests/run --sanitize thread` alone, which first makes sure that a correct program passes with it and that
// a race is still found.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define HANDLE "$s15Synchronization12_MutexHandleV"

void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

SWIFT void lockSlow(uint32_t thread, SELF) __asm__(HANDLE "9_lockSlowyys6UInt32VF");
SWIFT void unlockSlow(SELF) __asm__(HANDLE "11_unlockSlowyyF");
SWIFT bool tryLockSlow(SELF) __asm__(HANDLE "12_tryLockSlowSbyF");

SWIFT void lockSlow(uint32_t thread, SELF) {
  SWIFT void (*original)(uint32_t, SELF) = dlsym(RTLD_NEXT, HANDLE "9_lockSlowyys6UInt32VF");
  original(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlockSlow(SELF) {
  SWIFT void (*original)(SELF) = dlsym(RTLD_NEXT, HANDLE "11_unlockSlowyyF");
  if (__tsan_release) __tsan_release(self);
  original(self);
}

SWIFT bool tryLockSlow(SELF) {
  SWIFT bool (*original)(SELF) = dlsym(RTLD_NEXT, HANDLE "12_tryLockSlowSbyF");
  bool locked = original(self);
  if (locked && __tsan_acquire) __tsan_acquire(self);
  return locked;
}
