;;; contextls-tests.el --- What a user of Emacs relies on  -*- lexical-binding: t; -*-

;;; Commentary:

;; These run in one Emacs, against one real server on a real project.
;; test_emacs.py starts it; the variables below say where all that is.

;;; Code:

(require 'contextls)
(require 'compile)
(require 'ert)
(require 'ert-x)
(require 'eglot)
(require 'flymake)

(defconst contextls-tests-project (getenv "CONTEXTLS_TEST_PROJECT"))
(defconst contextls-tests-ruff (getenv "CONTEXTLS_TEST_RUFF"))

(defun contextls-tests-file (name)
  "The file NAME of the project."
  (expand-file-name name contextls-tests-project))

(defmacro contextls-tests-in (name &rest body)
  "Do BODY in a fresh buffer of the project's file NAME, alone in its frame."
  (declare (indent 1))
  `(let ((text (with-temp-buffer
                 (insert-file-contents (contextls-tests-file ,name))
                 (buffer-string))))
     (delete-other-windows)
     (switch-to-buffer (find-file-noselect (contextls-tests-file ,name)))
     (goto-char (point-min))
     (unwind-protect (progn ,@body)
       (with-temp-file (contextls-tests-file ,name) (insert text))
       (when-let* ((buffer (find-buffer-visiting (contextls-tests-file ,name))))
         (with-current-buffer buffer
           (set-buffer-modified-p nil)
           (deactivate-mark))
         (kill-buffer buffer)))))

(defun contextls-tests-wait (what test)
  "Wait until TEST returns non-nil; WHAT names that."
  (let ((deadline (+ (float-time) 30)) value)
    (while (not (setq value (funcall test)))
      (when (> (float-time) deadline)
        (ert-fail (format "Waited in vain for %s" what)))
      (accept-process-output nil 0.02))
    value))

(defun contextls-tests-events (kind)
  "The events of KIND that the server remembers, newest first."
  (append (plist-get (contextls--request
                      (contextls--root contextls-tests-project)
                      :context/events :limit 50
                      :filters (list :eventTypes (vector kind)))
                     :events)
          nil))

(defun contextls-tests-content (kind field value)
  "Wait for an event of KIND whose FIELD has VALUE; return its content."
  (contextls-tests-wait
   (format "%s %s" kind value)
   (lambda ()
     (seq-find (lambda (content) (equal (plist-get content field) value))
               (mapcar (lambda (event) (plist-get event :content))
                       (contextls-tests-events kind))))))

(defun contextls-tests-error (function &rest arguments)
  "What FUNCTION says when it refuses to work on ARGUMENTS."
  (cadr (should-error (apply function arguments) :type 'user-error)))

(defun contextls-tests-answering (answer function)
  "Call the command FUNCTION and type ANSWER where it asks."
  (cl-letf (((symbol-function 'read-string) (lambda (&rest _) answer))
            ((symbol-function 'completing-read) (lambda (&rest _) answer))
            ((symbol-function 'completing-read-multiple)
             (lambda (&rest _) (split-string answer "," t))))
    (call-interactively function)))

(defun contextls-tests-compile (command)
  "Run COMMAND in the project with `compile' until it ends."
  (let ((default-directory contextls-tests-project))
    (with-current-buffer (compile command)
      (contextls-tests-wait "the end of the command"
                            (lambda ()
                              (not (get-buffer-process (current-buffer))))))))

(defun contextls-tests-note (text)
  "Record the note TEXT; return whether it was."
  (plist-get (contextls--request (contextls--root contextls-tests-project)
                                 :context/recordEvent
                                 :type "note" :content (list :text text))
             :id))

(defun contextls-tests-pins ()
  "The paths and symbols that are pinned."
  (mapcar (lambda (entry) (cons (plist-get entry :path)
                                (plist-get entry :symbol)))
          (plist-get (contextls--request
                      (contextls--root contextls-tests-project)
                      :context/workingSet/list)
                     :files)))


;;; Questions

(ert-deftest contextls-tests-a-question-is-answered-beside-the-code ()
  (contextls-tests-in "shop/cart.py"
    (contextls-tests-answering "how is the discount computed?"
                               #'contextls-assemble)
    (should (equal (buffer-name) "*contextls*"))
    (should (derived-mode-p 'contextls-result-mode))
    (should buffer-read-only)
    (should (= (length (window-list)) 2))
    (should (string-prefix-p "how is the discount computed?" (buffer-string)))
    (should (string-match-p " [0-9]+ of 4000 tokens · confidence"
                            header-line-format))
    (search-forward "def discount_for")
    (should (get-text-property (- (point) 2) 'font-lock-face))
    (revert-buffer)
    (should (string-prefix-p "how is the discount computed?" (buffer-string)))))

(ert-deftest contextls-tests-a-line-of-the-answer-leads-to-the-code ()
  (contextls-tests-in "shop/invoice.py"
    (contextls-assemble "how is the discount computed?")
    (search-forward "return total * 0.05")
    (call-interactively #'contextls-result-visit)
    (should (equal (file-name-nondirectory buffer-file-name) "cart.py"))
    (should (string-match-p "return total \\* 0.05"
                            (contextls-result--line)))
    (switch-to-buffer "*contextls*")
    (goto-char (point-min))
    (search-forward "### `shop/invoice.py:1")
    (call-interactively #'contextls-result-visit)
    (should (equal (file-name-nondirectory buffer-file-name) "invoice.py"))
    (should (= (line-number-at-pos) 1))))

(ert-deftest contextls-tests-lines-that-were-left-out-count-on-the-way ()
  (contextls-tests-in "shop/cart.py"
    (with-temp-buffer
      (setq default-directory (file-name-as-directory contextls-tests-project))
      (insert "## Relevant Content\n\n### `shop/cart.py:2-9` `Cart`\n"
              "````python\n\nclass Cart:\n… (3 lines omitted)\n    pass\n````\n")
      (search-backward "pass")
      (should (equal (contextls-result--place)
                     (cons (contextls-tests-file "shop/cart.py") 7)))
      (goto-char (point-min))
      (should-not (contextls-result--place)))))

(ert-deftest contextls-tests-a-context-is-copied-to-both-clipboards ()
  (contextls-tests-in "shop/cart.py"
    (let* (clipboard
           (interprogram-cut-function (lambda (text) (setq clipboard text))))
      (contextls-tests-answering "how is the discount computed?"
                                 #'contextls-copy)
      (should (string-match-p "def discount_for" (current-kill 0 t)))
      (should (equal clipboard (current-kill 0 t))))))

(ert-deftest contextls-tests-the-region-is-the-question ()
  (contextls-tests-in "shop/cart.py"
    (transient-mark-mode)
    (search-forward "def discount_for")
    (push-mark (line-beginning-position) t t)
    (forward-line 3)
    (contextls-tests-answering "" #'contextls-copy)
    (should (string-prefix-p "This is about the selected lines."
                             (current-kill 0 t)))
    (should (equal (plist-get (contextls--here) :range)
                   '( :start (:line 11 :character 0)
                      :end (:line 14 :character 0))))))

(ert-deftest contextls-tests-the-name-at-point-is-the-question ()
  (contextls-tests-in "shop/invoice.py"
    (search-forward "- discount_f")
    (contextls-tests-answering "" #'contextls-copy)
    (should (string-prefix-p "This is about `discount_for`."
                             (current-kill 0 t)))))

(ert-deftest contextls-tests-unsaved-text-counts-whatever-is-in-it ()
  (contextls-tests-in "shop/cart.py"
    (goto-char (point-max))
    (insert "\n\n# 🛒 " (string #x3fff80) "\ndef shipping_fee(weight):\n"
            "    return weight * 7\n")
    (narrow-to-region (point-min) (1+ (point-min)))
    (contextls-copy "what is the shipping fee?")
    (should (string-match-p "return weight \\* 7" (current-kill 0 t)))))

(ert-deftest contextls-tests-no-answer-exceeds-the-budget ()
  (contextls-tests-in "shop/cart.py"
    (let ((contextls-max-tokens 60))
      (contextls-assemble "how is the discount computed?")
      (should (string-match "\\([0-9]+\\) of 60 tokens" header-line-format))
      (should (<= (string-to-number (match-string 1 header-line-format)) 60)))))

(ert-deftest contextls-tests-uncommitted-changes-are-reviewed ()
  (contextls-tests-in "shop/cart.py"
    (should (equal (contextls-tests-error #'contextls-review)
                   "There are no changes to review"))
    (search-forward "0.05")
    (replace-match "0.07")
    (save-buffer)
    (contextls-review)
    (should (string-match-p "^\\+    return total \\* 0.07"
                            (buffer-string)))))


;;; What happened

(ert-deftest contextls-tests-a-failed-compile-is-the-last-failure ()
  (contextls-tests-in "shop/cart.py"
    (contextls-status)
    (contextls-tests-compile "make all")
    (contextls-failure)
    (should (string-prefix-p "Fix this failure: `make all` (exit 2)"
                             (buffer-string)))
    (should (string-match-p "shop/main.c:1:25: error: totl" (buffer-string)))
    (let ((content (contextls-tests-content "shell_exec" :command "make all")))
      (should (equal (plist-get content :cwd) contextls-tests-project))
      (should (string-prefix-p "shop/main.c:1:25: error"
                               (plist-get content :stdout)))
      (should-not (string-match-p "Compilation" (plist-get content :stdout))))
    (should (equal (plist-get (contextls-tests-content
                               "error" :path "shop/main.c")
                              :line)
                   1))
    (contextls-failure t)
    (should (string-prefix-p "Fix this failure: `make all`"
                             (current-kill 0 t)))))

(ert-deftest contextls-tests-a-grep-that-finds-nothing-is-no-failure ()
  (contextls-tests-in "shop/cart.py"
    (contextls-status)
    (let ((default-directory contextls-tests-project))
      (with-current-buffer (grep "grep -n nothing_like_this README.md")
        (contextls-tests-wait "the end of grep"
                              (lambda ()
                                (not (get-buffer-process (current-buffer)))))))
    (contextls-tests-compile "true grep")
    (contextls-tests-content "shell_exec" :command "true grep")
    (should-not (seq-find (lambda (event)
                            (string-match-p "nothing_like_this"
                                            (plist-get event :text)))
                          (contextls-tests-events "shell_exec")))))

(ert-deftest contextls-tests-saves-are-remembered-and-lead-to-the-file ()
  (contextls-tests-in "shop/invoice.py"
    (contextls-status)
    (insert "# saved\n")
    (save-buffer)
    (contextls-tests-content "file_write" :path "shop/invoice.py")
    (contextls-activity)
    (search-forward "shop/invoice.py")
    (call-interactively #'contextls-activity-visit)
    (should (equal (file-name-nondirectory buffer-file-name) "invoice.py"))))

(ert-deftest contextls-tests-nothing-is-recorded-in-a-pause ()
  (contextls-tests-in "shop/cart.py"
    (contextls-status)
    (contextls-pause)
    (unwind-protect
        (progn
          (contextls-tests-wait "the pause"
                                (lambda () (not (contextls-tests-note "a"))))
          (contextls-tests-compile "true unheard")
          (contextls--wait-recorded))
      (contextls-pause))
    (contextls-tests-wait "its end" (lambda () (contextls-tests-note "b")))
    (should-not (seq-find (lambda (event)
                            (string-match-p "unheard"
                                            (plist-get event :text)))
                          (contextls-tests-events "shell_exec")))))

(ert-deftest contextls-tests-the-status-says-how-things-stand ()
  (contextls-tests-in "shop/cart.py"
    (contextls-tests-wait
     "the index"
     (lambda ()
       (contextls-status)
       (with-current-buffer "*contextls status*"
         (string-match-p "Index +complete and up to date" (buffer-string)))))
    (with-current-buffer "*contextls status*"
      (should (string-match-p "Languages +.*python 2" (buffer-string)))
      (should (string-match-p "Memory +records what you do"
                              (buffer-string))))))


;;; The working set

(ert-deftest contextls-tests-a-file-and-a-symbol-are-pinned-and-let-go ()
  (contextls-tests-in "shop/cart.py"
    (contextls-pin)
    (search-forward "return total")
    (contextls-pin t)
    (should (equal (contextls-tests-pins)
                   '(("shop/cart.py") ("shop/cart.py" . "discount_for"))))
    (contextls-tests-answering "shop/cart.py#discount_for" #'contextls-unpin)
    (contextls-tests-answering "shop/cart.py" #'contextls-unpin)
    (should-not (contextls-tests-pins))
    (should (equal (contextls-tests-error #'call-interactively
                                          #'contextls-unpin)
                   "There is none in this project"))))

(ert-deftest contextls-tests-an-excluded-file-stays-out-until-taken-back ()
  (contextls-tests-in "shop/invoice.py"
    (contextls-exclude)
    (contextls-copy "what does an invoice cost?")
    (should-not (string-match-p "invoice.py:" (current-kill 0 t)))
    (contextls-tests-answering "shop/invoice.py" #'contextls-include)
    (contextls-copy "what does an invoice cost?")
    (should (string-match-p "invoice.py:" (current-kill 0 t)))))

(defun contextls-tests-priority (path)
  "The priority of PATH, which is pinned."
  (plist-get (seq-find (lambda (entry) (equal (plist-get entry :path) path))
                       (plist-get (contextls--working-set) :files))
             :priority))

(ert-deftest contextls-tests-what-is-pinned-is-raised-and-lowered ()
  (contextls-tests-in "shop/cart.py"
    (contextls-pin)
    (dolist (step '((contextls-lower . 0.7) (contextls-raise . 0.8)
                    (contextls-raise . 0.9) (contextls-raise . 1.0)
                    (contextls-raise . 1.0)))
      (contextls-tests-answering "shop/cart.py" (car step))
      (should (= (contextls-tests-priority "shop/cart.py") (cdr step))))
    (contextls-unpin "shop/cart.py")
    (should (equal (contextls-tests-error #'contextls-raise "shop/cart.py")
                   "shop/cart.py is not pinned"))))

(defun contextls-tests-add (path)
  "Let a model put PATH into the working set."
  (contextls--request (contextls--project) :context/workingSet/update
                      :updates (vector (list :action "add_to_working_set"
                                             :path path
                                             :why "it is about that"))))

(ert-deftest contextls-tests-what-a-model-did-is-undone ()
  (contextls-tests-in "shop/cart.py"
    (contextls-tests-add "shop/invoice.py")
    (contextls-tests-add "shop/cart.py")
    (let ((current-prefix-arg '(4)))
      (contextls-tests-answering "added shop/invoice.py — it is about that"
                                 #'contextls-undo))
    (should (equal (contextls-tests-pins) '(("shop/cart.py"))))
    (contextls-undo)
    (should-not (contextls-tests-pins))
    (should (equal (contextls-tests-error #'contextls-undo)
                   "There is nothing to undo"))))

(ert-deftest contextls-tests-questions-are-limited-to-folders ()
  (contextls-tests-in "shop/cart.py"
    (contextls-copy "what is a shop with a cart?")
    (should (string-match-p "`README.md:" (current-kill 0 t)))
    (contextls-tests-answering "shop" #'contextls-scope)
    (contextls-copy "what is a shop with a cart?")
    (should-not (string-match-p "`README.md:" (current-kill 0 t)))
    (contextls-tests-answering "" #'contextls-scope)
    (contextls-copy "what is a shop with a cart?")
    (should (string-match-p "`README.md:" (current-kill 0 t)))))


;;; Beside Eglot

(defun contextls-tests-start-eglot (contact)
  "Let Eglot manage this buffer with CONTACT; return its server."
  (let ((eglot-sync-connect 30)
        (eglot-server-programs `((,major-mode . ,contact))))
    (apply #'eglot (eglot--guess-contact))
    (contextls-tests-wait "Eglot" #'eglot-current-server)))

(defun contextls-tests-stop-eglot (server)
  "End SERVER of Eglot."
  (let ((inhibit-message t))
    (eglot-shutdown server nil 10)))

(ert-deftest contextls-tests-the-server-of-the-language-stays-in-eglot ()
  (contextls-tests-in "shop/cart.py"
    (goto-char (point-max))
    (insert "\n\nprint(totl)\n")
    (save-buffer)
    (forward-line -1)
    (contextls-status)
    (let ((server (contextls-tests-start-eglot
                   (list contextls-tests-ruff "server"))))
      (unwind-protect
          (progn
            (flymake-start)
            (contextls-tests-wait
             "the problem"
             (lambda () (flymake-diagnostics (line-beginning-position)
                                             (line-end-position))))
            (contextls-problem t)
            (should (string-match-p
                     "\\`Fix this problem: .*totl.* at `shop/cart.py:17`"
                     (current-kill 0 t)))
            (should (eq (eglot-current-server) server))
            (contextls-tests-wait
             "what Eglot found as an event"
             (lambda () (contextls-tests-events "diagnostic"))))
        (contextls-tests-stop-eglot server)))))

(ert-deftest contextls-tests-eglot-can-have-it-in-a-mode-without-a-server ()
  (contextls-tests-in "shop/invoice.py"
    (let ((server (contextls-tests-start-eglot
                   (list contextls-program "serve"))))
      (unwind-protect
          (should (string-prefix-p
                   "contextls"
                   (plist-get (eglot--server-info server) :name)))
        (contextls-tests-stop-eglot server)))))


;;; The working set

(ert-deftest contextls-tests-what-is-wrong-in-the-working-set-is-shown ()
  (let ((file (contextls-tests-file ".context/working-set.yml")))
    (make-directory (file-name-directory file) t)
    (unwind-protect
        (progn
          (with-temp-file file (insert "files:\n  - shop/cart.py\n"))
          (switch-to-buffer (find-file-noselect file))
          (contextls--connect (contextls--root contextls-tests-project))
          (goto-char (point-max))
          (insert "  - {path: shop/gone.py, role: 'böss'} # 🦜\n")
          (contextls--tell)
          (let ((found (contextls-tests-wait
                        "the faults"
                        (lambda ()
                          (and (bound-and-true-p flymake-mode)
                               (flymake-diagnostics))))))
            (should (equal (sort (mapcar #'flymake-diagnostic-text found)
                                 #'string<)
                           '("role: expected one of system, developer, user, context")))
            (should (equal (buffer-substring
                            (flymake-diagnostic-beg (car found))
                            (flymake-diagnostic-end (car found)))
                           "'böss'")))
          (contextls--tell)
          (should-not contextls--problems)
          (search-backward "'böss'")
          (replace-match "user" t t)
          (contextls--tell)
          (contextls-tests-wait
           "what is left"
           (lambda ()
             (equal (mapcar #'flymake-diagnostic-text (flymake-diagnostics))
                    '("shop/gone.py: no such file")))))
      (when-let* ((buffer (find-buffer-visiting file)))
        (with-current-buffer buffer (set-buffer-modified-p nil))
        (kill-buffer buffer))
      (delete-file file))))


;;; The server

(ert-deftest contextls-tests-a-second-project-has-the-same-server ()
  (contextls-tests-in "shop/cart.py"
    (contextls-status)
    (let ((connection contextls--connection)
          (other (make-temp-file "contextls-other" t)))
      (make-directory (expand-file-name ".git/objects" other) t)
      (make-directory (expand-file-name ".git/refs" other))
      (with-temp-file (expand-file-name ".git/HEAD" other)
        (insert "ref: refs/heads/main\n"))
      (with-temp-file (expand-file-name "bakery.py" other)
        (insert "def bake(bread):\n    return bread * 2\n"))
      (find-file (expand-file-name "bakery.py" other))
      (contextls-copy "how is bread baked?")
      (should (string-match-p "return bread \\* 2" (current-kill 0 t)))
      (should-not (string-match-p "discount" (current-kill 0 t)))
      (should (eq connection contextls--connection)))))

(ert-deftest contextls-tests-a-buffer-that-is-renamed-stays-known ()
  (contextls-tests-in "shop/invoice.py"
    (contextls-status)
    (let ((other (contextls-tests-file "shop/receipt.py")))
      (unwind-protect
          (progn
            (write-file other)
            (should (string-suffix-p "shop/receipt.py" contextls--uri))
            (goto-char (point-max))
            (insert "\n\ndef receipt_number(year):\n    return year + 1\n")
            (python-mode)
            (insert "    # of a shop\n")
            (contextls-copy "what is the receipt number?")
            (should (string-match-p "# of a shop" (current-kill 0 t))))
        (set-buffer-modified-p nil)
        (kill-buffer)
        (delete-file other)))))

(ert-deftest contextls-tests-a-file-may-have-any-name ()
  (contextls-tests-in "shop/invoice.py"
    (let ((other (contextls-tests-file "shop/100 %41 #é?.py")))
      (unwind-protect
          (progn
            (write-file other)
            (goto-char (point-max))
            (insert "\n\ndef receipt_number(year):\n    return year + 1\n")
            (contextls-copy "what is the receipt number?")
            (should (string-match-p "`shop/100 %41 #é\\?\\.py:"
                                    (current-kill 0 t))))
        (set-buffer-modified-p nil)
        (kill-buffer)
        (delete-file other)))))

(ert-deftest contextls-tests-a-server-that-went-down-is-started-again ()
  (contextls-tests-in "shop/cart.py"
    (contextls-status)
    (let ((process (jsonrpc--process contextls--connection)))
      (signal-process process 'KILL)
      (contextls-tests-wait "its end"
                            (lambda () (not (process-live-p process))))
      (contextls-tests-wait "the news" (lambda () (not contextls--uri)))
      (contextls-copy "how is the discount computed?")
      (should (string-match-p "def discount_for" (current-kill 0 t))))))

(ert-deftest contextls-tests-the-mode-leaves-nothing-behind ()
  (contextls-tests-in "shop/cart.py"
    (contextls-status)
    (let ((process (jsonrpc--process contextls--connection)))
      (contextls-mode -1)
      (should-not contextls--uri)
      (should-not (memq #'contextls--note-change after-change-functions))
      (should-not (memq #'contextls--visit find-file-hook))
      (contextls-tests-wait "the end of the server"
                            (lambda () (not (process-live-p process))))
      (should (equal (process-exit-status process) 0)))))

(ert-deftest contextls-tests-a-missing-server-is-told-with-what-to-do ()
  (contextls-tests-in "shop/cart.py"
    (contextls-mode -1)
    (cl-letf ((contextls-program nil)
              (contextls--usual-directories nil)
              ((default-value 'exec-path) nil))
      (should (string-match-p "install it with M-x contextls-install"
                              (contextls-tests-error #'contextls-copy "x"))))
    (let ((contextls-program "/nowhere/contextls"))
      (should (string-match-p "no program /nowhere/contextls"
                              (contextls-tests-error #'contextls-copy "x"))))
    (let ((contextls-program (executable-find "false")))
      (should (string-match-p "did not start; see M-x contextls-log"
                              (contextls-tests-error #'contextls-copy "x"))))))

(ert-deftest contextls-tests-a-file-is-saved-whatever-the-server-does ()
  (contextls-tests-in "shop/cart.py"
    (contextls-mode -1)
    (dolist (program (list "/nowhere/contextls"
                           (contextls-tests-file "README.md")
                           (executable-find "false")))
      (let ((contextls-program program)
            (debug-on-error nil)) ; as it is for users
        (contextls-mode)
        (insert "# more\n")
        (save-buffer)
        (contextls-tests-compile "true whatever")
        (should-not (buffer-modified-p))
        (contextls-mode -1)))))

(ert-deftest contextls-tests-a-program-of-the-project-is-no-server ()
  (contextls-tests-in "shop/cart.py"
    (let ((trap (contextls-tests-file "bin/contextls"))
          (contextls-program nil)
          (contextls--usual-directories nil))
      (make-directory (file-name-directory trap) t)
      (with-temp-file trap (insert "#!/bin/sh\n"))
      (set-file-modes trap #o755)
      (unwind-protect
          (let ((default-directory contextls-tests-project))
            (dolist (path (list (file-name-directory trap) "bin"))
              (cl-letf (((default-value 'exec-path) (list path)))
                (should-not (contextls--find-program
                             contextls-tests-project)))))
        (delete-directory (file-name-directory trap) t)))))

(ert-deftest contextls-tests-there-must-be-a-project ()
  (with-temp-buffer
    (setq default-directory "/")
    (should (equal (contextls-tests-error #'contextls-copy "x")
                   "No project here: visit a file in one"))))

(defun contextls-tests-run (file names)
  "Run the tests NAMES in their order, and write what came of each to FILE."
  (ert-run-tests-batch `(member ,@names))
  (with-temp-file file
    (insert (json-serialize
             (mapcar (lambda (name)
                       (cons name
                             (if (ert-test-passed-p
                                  (ert-test-most-recent-result
                                   (ert-get-test name)))
                                 t
                               :json-false)))
                     names)
             :false-object :json-false)))
  (contextls-mode -1))

(provide 'contextls-tests)
;;; contextls-tests.el ends here
