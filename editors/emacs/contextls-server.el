;;; contextls-server.el --- The connection to the contextls server  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; One server process serves all projects of this Emacs, over a JSON-RPC
;; connection of its own beside whatever Eglot or lsp-mode run for a language:
;; Eglot has one server for a mode and a project, and that one stays.
;;
;; Buffers are told as any language server is told of them: opened, changed,
;; saved, closed.  What was typed goes to the server in one piece, at the next
;; pause or just before a question.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'project)
(require 'seq)
(require 'subr-x)
(require 'url-util)

(declare-function contextls--show-known-faults "contextls-faults" ())
(declare-function contextls--take-faults "contextls-faults" (params))
(declare-function flymake-diagnostic-backend "flymake" (diag))
(declare-function flymake-diagnostics "flymake" (&optional beg end))
(declare-function flymake-diagnostic-beg "flymake" (diag))
(declare-function flymake-diagnostic-end "flymake" (diag))
(declare-function flymake-diagnostic-text "flymake" (diag))
(declare-function flymake-diagnostic-type "flymake" (diag))

(defgroup contextls nil
  "The context that a question to a model needs, within a budget."
  :group 'tools
  :prefix "contextls-")

(defcustom contextls-program nil
  "The contextls program, with its full name.
When nil, it is the one that `contextls-install' made, else the one in
variable `exec-path'.  A program in the project itself is never run."
  :type '(choice (const :tag "Find it" nil) file))

(defcustom contextls-settings nil
  "Settings of the server, by their names in contextls' docs/settings.md.
This is a property list of what JSON is made of, such as
\(:ignore [\"fixtures/\"] :watch :json-false).  It counts from the next
start on, at once when it is set with Customize or `setopt'."
  :type '(plist :key-type symbol :value-type sexp)
  :set (lambda (symbol value)
         (set-default symbol value)
         (when (fboundp 'contextls--tell-settings)
           (contextls--tell-settings))))

(defconst contextls--install-directory
  (expand-file-name (locate-user-emacs-file "contextls/server/"))
  "The environment made by `contextls-install'.")

(defvar contextls--usual-directories
  '("~/.local/bin" "/opt/homebrew/bin" "/usr/local/bin")
  "Where programs lie that an Emacs without the PATH of a shell misses.")

(defconst contextls--max-text 1000000
  "Of buffers with more characters, the server reads the file instead.")

(defconst contextls--max-wait 60
  "Seconds after which a request is given up.")

(defvar contextls--connection nil
  "The connection to the server, or nil.")

(defvar contextls--progress nil
  "How far indexing is, for the mode line.")

(defclass contextls-connection (jsonrpc-process-connection)
  ((roots :initform nil :accessor contextls--roots
          :documentation "The open folders, the newest first.")
   (ready :initform nil :accessor contextls--ready
          :documentation "Whether the server has answered `initialize'.")
   ;; No log of messages: whole buffers would be in it.  Emacs 30 reads the
   ;; second of these slots of the class above, and older ones the first.
   (-events-buffer-scrollback-size :initform 0)
   (-events-buffer-config :initform '(:size 0 :format full)))
  :documentation "A connection to a contextls server.")


;;; Projects

(defun contextls--root (&optional directory)
  "The folder of the project around DIRECTORY.
Nil for none, and on other machines.  A home is no project, nor is
anything around it."
  (let ((directory (or directory default-directory)))
    (unless (file-remote-p directory)
      (when-let* ((project (project-current nil directory))
                  (root (file-truename (project-root project))))
        (unless (file-in-directory-p "~" root)
          (file-name-as-directory root))))))

;; Emacs's own table is for paths that are encoded already, and lets "%" pass.
(defconst contextls--path-characters
  (let ((characters (copy-sequence url-path-allowed-chars)))
    (aset characters ?% nil)
    characters)
  "The characters that stand for themselves in the path of a URI.")

(defun contextls--uri (file)
  "The URI of FILE, which is local."
  (concat "file://" (if (eq system-type 'windows-nt) "/" "")
          (url-hexify-string (directory-file-name (file-truename file))
                             contextls--path-characters)))

(defun contextls--folder (root)
  "ROOT as a workspace folder."
  (list :uri (contextls--uri root)
        :name (file-name-nondirectory (directory-file-name root))))

(defun contextls--text (string)
  "STRING without bytes that are no text: JSON has no place for them."
  (replace-regexp-in-string "[\x3fff80-\x3fffff]" "\ufffd"
                            (substring-no-properties string) t t))

(defun contextls--position (position)
  "POSITION of the current buffer as the protocol has it, in characters."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char position)
      (let ((inhibit-field-text-motion t))
        (list :line (1- (line-number-at-pos))
              :character (- (point) (line-beginning-position)))))))


;;; The process

(defun contextls--own-program ()
  "The program in the environment made by `contextls-install'."
  (expand-file-name (if (eq system-type 'windows-nt)
                        "Scripts/contextls.exe"
                      "bin/contextls")
                    contextls--install-directory))

(defun contextls--exec-path ()
  "Where programs are looked for: in no folder that depends on the current one."
  (append (seq-filter #'file-name-absolute-p (default-value 'exec-path))
          contextls--usual-directories))

(defun contextls--find-program (root)
  "Return the server's program for the project ROOT, or nil."
  (let ((own (contextls--own-program))
        (exec-path (contextls--exec-path)))
    (cond
     (contextls-program
      (let ((program (expand-file-name contextls-program)))
        (if (file-executable-p program)
            program
          (user-error "There is no program %s, as in `contextls-program'"
                      contextls-program))))
     ((file-executable-p own) own)
     ((when-let* ((found (executable-find "contextls")))
        (unless (file-in-directory-p found root) found))))))

(defun contextls--environment ()
  "The variables of the server: none leads into the current folder."
  (let ((path (seq-filter #'file-name-absolute-p
                          (split-string (or (getenv "PATH") "")
                                        path-separator t))))
    `(,(concat "PATH=" (string-join path path-separator))
      "PYTHONPATH" "PYTHONHOME"
      ,@(default-value 'process-environment))))

(defun contextls--make-process (program)
  "Start PROGRAM as a server, in its own folder."
  (let ((default-directory (file-name-directory program))
        (process-environment (contextls--environment)))
    (make-process :name "contextls"
                  :command (list program "serve")
                  :connection-type 'pipe
                  :coding 'utf-8-emacs-unix
                  :noquery t
                  :stderr (get-buffer-create "*contextls stderr*"))))

(defun contextls--start (program root)
  "Start PROGRAM and open the folder ROOT in it, without waiting."
  (let ((connection (make-instance
                     'contextls-connection
                     :name "contextls"
                     :process (lambda () (contextls--make-process program))
                     :request-dispatcher #'ignore
                     :notification-dispatcher #'contextls--handle-notification
                     :on-shutdown #'contextls--handle-shutdown)))
    (setf (contextls--roots connection) (list root))
    (setq contextls--connection connection)
    (ignore-errors ; one that is gone already is noticed by who waits for it
      (jsonrpc-async-request
       connection :initialize
       (list :processId (emacs-pid)
             :clientInfo (list :name "Emacs" :version emacs-version)
             :rootUri nil
             :workspaceFolders (vector (contextls--folder root))
             :capabilities '( :general (:positionEncodings ["utf-32"])
                              :workspace (:workspaceFolders t)
                              :window (:workDoneProgress t)
                              :experimental (:contextls (:copyToClipboard t)))
             :initializationOptions (contextls--settings))
       :success-fn (lambda (_answer) (contextls--begin connection))
       :error-fn (lambda (problem)
                   (message "The contextls server did not start: %s"
                            (plist-get problem :message)))
       :timeout contextls--max-wait))))

(defun contextls--begin (connection)
  "Tell the server behind CONNECTION, which is ready, what is open."
  (jsonrpc-notify connection :initialized (make-hash-table))
  (setf (contextls--ready connection) t)
  (mapc #'contextls--tell-folder (butlast (contextls--roots connection)))
  (contextls--open-buffers))

(defun contextls--handle-notification (_connection method params)
  "Show the news of METHOD with PARAMS."
  (pcase method
    ('textDocument/publishDiagnostics
     (require 'contextls-faults)
     (contextls--take-faults params))
    ('window/showMessage
     (message "The contextls server says: %s" (plist-get params :message)))
    ('$/progress
     (let* ((value (plist-get params :value))
            (percentage (plist-get value :percentage)))
       (setq contextls--progress
             (cond ((equal (plist-get value :kind) "end") nil)
                   (percentage (format ":%d%%" percentage))
                   (t ":…")))
       (force-mode-line-update t)))))

(defun contextls--handle-shutdown (connection)
  "Forget CONNECTION, whose server is gone or going."
  (when (eq connection contextls--connection)
    (setq contextls--connection nil
          contextls--progress nil)
    (contextls--forget-buffers)))

(defun contextls--stop ()
  "End the server, without waiting."
  (when-let* ((connection contextls--connection)
              (kill (lambda (&rest _) (jsonrpc-shutdown connection))))
    (contextls--handle-shutdown connection)
    (when (jsonrpc-running-p connection)
      (jsonrpc-async-request
       connection :shutdown nil
       :success-fn (lambda (_answer) (jsonrpc-notify connection :exit nil))
       :error-fn kill :timeout-fn kill :timeout 5))))

(defun contextls--running ()
  "Return the connection where it can be talked to, else nil."
  (and contextls--connection
       (jsonrpc-running-p contextls--connection)
       (contextls--ready contextls--connection)
       contextls--connection))

(defun contextls--open-folder (root)
  "Have a server with the folder ROOT open, started if need be.
Return the connection, or nil where there is no program."
  (if (and contextls--connection (jsonrpc-running-p contextls--connection))
      (unless (member root (contextls--roots contextls--connection))
        (push root (contextls--roots contextls--connection))
        (contextls--tell-folder root))
    (when-let* ((program (contextls--find-program root)))
      (contextls--start program root)))
  contextls--connection)

(defun contextls--connect (root)
  "Return a connection that can be asked about ROOT; wait until it is there."
  (let ((connection
         (or (contextls--open-folder root)
             (user-error (concat "There is no contextls server: install it "
                                 "with M-x contextls-install, or name it in "
                                 "`contextls-program'")))))
    (with-timeout (contextls--max-wait)
      (while (and (jsonrpc-running-p connection)
                  (not (contextls--ready connection)))
        (accept-process-output nil 0.05)))
    (unless (and (jsonrpc-running-p connection) (contextls--ready connection))
      (user-error "The contextls server did not start; see M-x contextls-log"))
    connection))

(defun contextls-log ()
  "Show the log of the server."
  (interactive)
  (pop-to-buffer (or (get-buffer " *contextls stderr*")
                     (user-error "No contextls server was started"))))


;;; Messages

(defun contextls--request (root method &rest params)
  "Return what the server answers to METHOD with PARAMS, about ROOT."
  (let ((connection (contextls--connect root)))
    (contextls--tell)
    (condition-case problem
        (jsonrpc-request connection method
                         `(,@params :rootUri ,(contextls--uri root))
                         :timeout contextls--max-wait)
      (jsonrpc-error
       (user-error "The contextls server says: %s"
                   (alist-get 'jsonrpc-error-message (cdr problem)))))))

(defun contextls--notify (method &rest params)
  "Send METHOD with PARAMS where a server can hear it.
A problem is only told: what the user does must never fail by it."
  (when-let* ((connection (contextls--running)))
    (with-demoted-errors "The contextls server does not hear: %S"
      (jsonrpc-notify connection method params))))

(defun contextls--tell-folder (root)
  "Tell the server that the folder ROOT is open too."
  (contextls--notify
   :workspace/didChangeWorkspaceFolders
   :event (list :added (vector (contextls--folder root)) :removed [])))

(defun contextls--settings ()
  "The settings as a JSON object."
  (or contextls-settings (make-hash-table)))

(defun contextls--tell-settings ()
  "Tell the server what the settings are now."
  (contextls--notify :workspace/didChangeConfiguration
                     :settings (list :contextls (contextls--settings))))


;;; Buffers

(defvar-local contextls--uri nil
  "The URI under which the server has this buffer open, or nil.")
(put 'contextls--uri 'permanent-local t)

(defvar-local contextls--version 0
  "How often the server was told of this buffer's text.")
(put 'contextls--version 'permanent-local t)

(defvar-local contextls--changed nil
  "Whether the server does not have this buffer's text yet.")
(put 'contextls--changed 'permanent-local t)

(defvar-local contextls--problems nil
  "The problems of this buffer that the server knows.")

(defvar contextls--focus nil
  "The URI of the buffer that the server takes to be in front.")

(defun contextls--whole-text ()
  "The text of this buffer, whether it is narrowed or not."
  (save-restriction
    (widen)
    (contextls--text (buffer-string))))

(defun contextls--open-buffer ()
  "Tell the server of this buffer if it has a file of a project."
  (when-let* ((file buffer-file-name)
              ((not (or contextls--uri (file-remote-p file))))
              (enable-multibyte-characters)
              ((< (buffer-size) contextls--max-text))
              (root (contextls--root (file-name-directory file)))
              ((file-in-directory-p file root))
              ((with-demoted-errors "No contextls server: %S"
                 (contextls--open-folder root)))
              ((contextls--running)))
    (setq contextls--uri (contextls--uri file)
          contextls--changed nil)
    (add-hook 'after-change-functions #'contextls--note-change nil t)
    (contextls--notify
     :textDocument/didOpen
     :textDocument (list :uri contextls--uri
                         :languageId (replace-regexp-in-string
                                      "\\(-ts\\)?-mode\\'" ""
                                      (symbol-name major-mode))
                         :version (cl-incf contextls--version)
                         :text (contextls--whole-text)))
    (when (featurep 'contextls-faults)
      (contextls--show-known-faults))))

(defun contextls--open-buffers ()
  "Tell the server of all buffers."
  (dolist (buffer (buffer-list))
    (when (buffer-live-p buffer) ; a new server replaces the log of the last
      (with-current-buffer buffer
        (contextls--open-buffer)))))

(defun contextls--note-change (&rest _)
  "Remember that this buffer was changed."
  (setq contextls--changed t))
(put 'contextls--note-change 'permanent-local-hook t)

(defun contextls--close-buffer ()
  "Tell the server that this buffer is gone, or has another name."
  (when contextls--uri
    (contextls--notify :textDocument/didClose
                       :textDocument (list :uri contextls--uri))
    (contextls--forget-buffer)))

(defun contextls--rename-buffer ()
  "Tell the server that this buffer has another file."
  (contextls--close-buffer)
  (contextls--open-buffer))

(defun contextls--save-buffer ()
  "Tell the server that this buffer was saved."
  (contextls--open-buffer)
  (when contextls--uri
    (contextls--tell-text)
    (contextls--notify :textDocument/didSave
                       :textDocument (list :uri contextls--uri))))

(defun contextls--forget-buffer ()
  "Forget that the server has this buffer."
  (setq contextls--uri nil
        contextls--problems nil)
  (remove-hook 'after-change-functions #'contextls--note-change t))

(defun contextls--forget-buffers ()
  "Forget what the server knew."
  (setq contextls--focus nil)
  (dolist (buffer (buffer-list))
    (when (buffer-local-value 'contextls--uri buffer)
      (with-current-buffer buffer
        (contextls--forget-buffer)))))

(defun contextls--tell-text ()
  "Send this buffer's text to the server where it changed."
  (when (and contextls--uri contextls--changed)
    (setq contextls--changed nil)
    (contextls--notify
     :textDocument/didChange
     :textDocument (list :uri contextls--uri
                         :version (cl-incf contextls--version))
     :contentChanges (vector (list :text (contextls--whole-text))))))

(defun contextls--tell-focus ()
  "Tell the server which buffer is in front."
  (let ((uri (or (buffer-local-value 'contextls--uri (window-buffer))
                 "untitled:nothing")))
    (unless (equal uri contextls--focus)
      (setq contextls--focus uri)
      (contextls--notify :context/didFocus :uri uri))))

(defun contextls--problem (diagnostic)
  "DIAGNOSTIC of Flymake as the protocol has it."
  (list :range (list :start (contextls--position
                             (flymake-diagnostic-beg diagnostic))
                     :end (contextls--position
                           (flymake-diagnostic-end diagnostic)))
        :severity (pcase (get (flymake-diagnostic-type diagnostic)
                              'flymake-category)
                    ('flymake-error 1)
                    ('flymake-warning 2)
                    (_ 3))
        :message (contextls--text (flymake-diagnostic-text diagnostic))))

(defun contextls--own-p (diagnostic)
  "Whether DIAGNOSTIC is what the server itself found."
  (eq (flymake-diagnostic-backend diagnostic) 'contextls--flymake))

(defun contextls--tell-problems ()
  "Tell the server of the problems that Flymake, and so Eglot, has here."
  (when (and contextls--uri (bound-and-true-p flymake-mode))
    (let ((problems (mapcar #'contextls--problem
                            (seq-remove #'contextls--own-p
                                        (flymake-diagnostics)))))
      (unless (equal problems contextls--problems)
        (setq contextls--problems problems)
        (contextls--notify :context/didChangeDiagnostics
                           :uri contextls--uri
                           :diagnostics (vconcat problems))))))

(defun contextls--tell ()
  "Tell the server what happened since it was told last."
  (when (contextls--running)
    (dolist (buffer (buffer-list))
      (when (buffer-local-value 'contextls--changed buffer)
        (with-current-buffer buffer
          (contextls--tell-text))))
    (contextls--tell-focus)
    (with-current-buffer (window-buffer)
      (contextls--tell-problems))))

(provide 'contextls-server)
;;; contextls-server.el ends here
