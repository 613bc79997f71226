"""What ends a run: one line for the user, and the exit code that scripts rely on."""


class PaperrecError(Exception):
    """A fault that ends the run; its text is the one line the user sees, its class the exit code."""

    exit_code = 1


class SettingsError(PaperrecError):
    """An option, a locator or a setting cannot be understood."""

    exit_code = 2


class NoInputError(PaperrecError):
    """Nothing usable could be read: missing, empty, unreadable, or not what it was opened as."""

    exit_code = 65


class ServiceError(PaperrecError):
    """A service could not be reached or answered with nonsense."""

    exit_code = 69


class WriteError(PaperrecError):
    """An output could not be written; what stood there before still stands."""

    exit_code = 73


class DiskError(WriteError):
    """The disk is full or failing; what stood there before still stands."""

    exit_code = 74


class BusyError(PaperrecError):
    """Another run holds the lock."""

    exit_code = 75


class DeniedError(PaperrecError):
    """A key was refused, or it has no right to write."""

    exit_code = 77
