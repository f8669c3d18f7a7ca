;;; contextls.el --- The context behind a chat, within a token budget  -*- lexical-binding: t; -*-

;; Author: The contextls authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, convenience
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; contextls keeps a project's code in a searchable index, remembers what
;; happened in it, and turns a question into one prompt that fits a token
;; budget: the right code first, each piece with its place, no secret in it.
;;
;;   M-x contextls-assemble   show the context for a question, a region, a name
;;   M-x contextls-copy       copy it, to paste it into any chat
;;   M-x contextls-failure    what the last failed `compile' needs
;;   M-x contextls-review     what a review of uncommitted changes needs
;;
;; `contextls-mode' lets the server hear what you visit, edit, save and compile.
;; The first question turns it on.  To have it from the start, and all commands
;; behind a key:
;;
;;   (contextls-mode)
;;   (global-set-key (kbd "C-c x") 'contextls-command-map)
;;
;; It takes no place in Eglot and needs none: the server of a language stays
;; what it is.

;;; Code:

(require 'contextls-server)
(require 'contextls-activity)
(require 'contextls-result)
(require 'thingatpt)

(autoload 'contextls-install "contextls-install" nil t)
(autoload 'contextls--install-and-wait "contextls-install")
(declare-function flymake-diagnostics "flymake" (&optional beg end))
(declare-function flymake-diagnostic-beg "flymake" (diag))
(declare-function flymake-diagnostic-end "flymake" (diag))
(declare-function flymake-diagnostic-text "flymake" (diag))

(defcustom contextls-max-tokens 4000
  "The budget of a question, in tokens."
  :type 'natnum
  :group 'contextls)

(defconst contextls--max-query 1000
  "So many characters of a region make a question; its place names the rest.")

(defconst contextls--failure-query "Fix the last failure."
  "The server says instead of this which failure that is, if there is one.")

(defvar contextls-history nil
  "Questions that were asked.")


;;; Minor mode

(defvar contextls--timer nil
  "Tells the server, at a pause, what happened.")

(defvar contextls--said-missing nil
  "Whether it was said that there is no server.")

(defun contextls--visit ()
  "Tell the server of the visited file; say once where there is none."
  (contextls--open-buffer)
  (unless (or contextls--connection contextls--said-missing
              (not (contextls--root)))
    (setq contextls--said-missing t)
    (message "There is no contextls server; M-x contextls-install")))

;;;###autoload
(define-minor-mode contextls-mode
  "Let the contextls server hear what happens in the projects of this Emacs.
What is visited, edited, saved and compiled, and what Flymake finds, is
remembered for questions such as \"fix the failing test\".  Secrets are
redacted before anything is stored; nothing leaves this machine."
  :global t
  :group 'contextls
  :lighter (" ctx" contextls--progress)
  (let ((change (if contextls-mode #'add-hook #'remove-hook)))
    (pcase-dolist (`(,hook . ,function)
                   '((find-file-hook . contextls--visit)
                     (after-save-hook . contextls--save-buffer)
                     (after-set-visited-file-name-hook
                      . contextls--rename-buffer)
                     (kill-buffer-hook . contextls--close-buffer)
                     (compilation-finish-functions
                      . contextls--record-compilation)))
      (funcall change hook function)))
  (when contextls--timer
    (cancel-timer contextls--timer))
  (setq contextls--timer
        (and contextls-mode (run-with-idle-timer 0.5 t #'contextls--tell)))
  (if contextls-mode
      (contextls--open-buffers)
    (contextls--stop)))

(defun contextls--project ()
  "The folder of the project to ask about, once a server hears of it."
  (let ((root (or (contextls--root)
                  (user-error "No project here: visit a file in one"))))
    (when (and (not noninteractive)
               (not contextls--connection)
               (not (contextls--find-program root))
               (y-or-n-p (concat "contextls needs its server "
                                 "(630 MB from PyPI); install it now? ")))
      (contextls--install-and-wait))
    (contextls--connect root)
    (unless contextls-mode
      (contextls-mode))
    (contextls--open-buffer)
    root))

(defun contextls--need-file ()
  "Refuse to work in a buffer that the server does not have."
  (unless contextls--uri
    (user-error "Visit a file of the project first")))


;;; Questions

(defun contextls--here (&optional start end)
  "The place from START to END, else the region, else point, as parameters."
  (when contextls--uri
    (let ((start (or start (and (use-region-p) (region-beginning))))
          (end (or end (and (use-region-p) (region-end)))))
      `( :textDocument (:uri ,contextls--uri)
         ,@(if start
               `(:range (:start ,(contextls--position start)
                         :end ,(contextls--position end)))
             `(:position ,(contextls--position (point))))))))

(defun contextls--early-p (context)
  "Whether CONTEXT is empty only because the index is not there yet."
  (and (string-empty-p (plist-get context :content))
       (not (eq (plist-get (plist-get context :report) :indexComplete) t))))

(defun contextls--changes-p (context)
  "Whether CONTEXT has something uncommitted, shown or without room."
  (seq-some (lambda (piece)
              (and (equal (plist-get piece :type) "recent")
                   (string-match-p ":[0-9]+-[0-9]+\\'"
                                   (plist-get piece :source))))
            (append (plist-get context :components)
                    (plist-get (plist-get context :report) :omitted) nil)))

(defun contextls--ask (root params)
  "Return the context about the project ROOT that PARAMS ask for."
  (let (context)
    (while (contextls--early-p
            (setq context (apply #'contextls--request
                                 root :context/assemble
                                 :maxTokens contextls-max-tokens params)))
      (message "Indexing; the answer comes as soon as there is one")
      (sleep-for 0.5))
    (let ((content (plist-get context :content)))
      (when (string-empty-p content)
        (user-error "Nothing here answers this question"))
      (when (string-prefix-p contextls--failure-query content)
        (user-error "No failure is remembered that is still to be fixed"))
      (when (and (plist-get params :changes)
                 (not (contextls--changes-p context)))
        (user-error "There are no changes to review")))
    context))

(defun contextls--deliver (copy root params)
  "Copy, if COPY, or show the context about ROOT that PARAMS ask for."
  (let ((context (contextls--ask root params)))
    (if copy
        (contextls-result--copy context)
      (contextls-result-show
       context contextls-max-tokens root
       (lambda () (contextls--deliver nil root params))))))

(defun contextls--read-question ()
  "Read a question; return it and what to show instead of it, or nil."
  (let* ((region (and (use-region-p)
                      (string-trim (buffer-substring-no-properties
                                    (region-beginning) (region-end)))))
         (symbol (thing-at-point 'symbol t))
         (default (cond (region "about the region")
                        (symbol (format "about %s" symbol))))
         (question (read-string (format-prompt "Question" default)
                                nil 'contextls-history)))
    (cond ((not (string-blank-p question)) (list question nil))
          (region (list (truncate-string-to-width region contextls--max-query)
                        "This is about the selected lines."))
          (symbol (list symbol (format "This is about `%s`." symbol)))
          (t (user-error "There is no question")))))

(defun contextls--deliver-question (copy question task)
  "Copy, if COPY, or show the context for QUESTION, which is shown as TASK."
  (let ((root (contextls--project)))
    (contextls--deliver copy root
                        `( :query ,(contextls--text question)
                           ,@(when task (list :task (contextls--text task)))
                           ,@(contextls--here)))))

;;;###autoload
(defun contextls-assemble (question &optional task)
  "Show the context for QUESTION.
With an active region it is about that; when nothing is typed, the
region or the name at point is the question.  TASK is what the first
line of the prompt says instead of QUESTION."
  (interactive (contextls--read-question))
  (contextls--deliver-question nil question task))

;;;###autoload
(defun contextls-copy (question &optional task)
  "Copy the context for QUESTION to the kill ring and the clipboard.
QUESTION and TASK are those of `contextls-assemble'."
  (interactive (contextls--read-question))
  (contextls--deliver-question t question task))

;;;###autoload
(defun contextls-failure (&optional copy)
  "Show the context for the last failure, of `compile' or elsewhere.
With a prefix argument COPY it is copied instead."
  (interactive "P")
  (let ((root (contextls--project)))
    (contextls--wait-recorded)
    (contextls--deliver copy root
                        `(:query ,contextls--failure-query :strategy "debug"))))

;;;###autoload
(defun contextls-review (&optional copy)
  "Show the context for a review of what is not committed.
With a prefix argument COPY it is copied instead."
  (interactive "P")
  (contextls--deliver copy (contextls--project)
                      '( :query "Review my changes."
                         :changes "all" :strategy "review")))

;;;###autoload
(defun contextls-problem (&optional copy)
  "Show the context for the problem that Flymake has on this line.
With a prefix argument COPY it is copied instead."
  (interactive "P")
  (let ((root (contextls--project))
        (start (line-beginning-position))
        (end (line-end-position)))
    (contextls--need-file)
    (let* ((problem (or (and (bound-and-true-p flymake-mode)
                             (car (flymake-diagnostics start end)))
                        (user-error "Flymake has no problem on this line")))
           (said (flymake-diagnostic-text problem))
           (line (string-trim (buffer-substring-no-properties start end)))
           (place (format "%s:%d"
                          (file-relative-name (file-truename buffer-file-name)
                                              root)
                          (line-number-at-pos nil t))))
      (contextls--deliver
       copy root
       `( :query ,(contextls--text (format "%s at: %s" said line))
          :task ,(contextls--text
                  (format "Fix this problem: %s at `%s`" said place))
          ,@(contextls--here (flymake-diagnostic-beg problem)
                             (flymake-diagnostic-end problem)))))))


;;; The working set

(defun contextls--change-working-set (method target said)
  "Change the working set by METHOD with TARGET, and say SAID."
  (let* ((root (contextls--project))
         (view (apply #'contextls--request root method target))
         (warnings (plist-get view :warnings)))
    (message "%s%s" said
             (if (seq-empty-p warnings)
                 ""
               (format " (%s)" (string-join warnings " · "))))))

(defun contextls--this-file (symbol)
  "This buffer's file as a target, or only the symbol around point if SYMBOL."
  (contextls--project)
  (contextls--need-file)
  `( :uri ,contextls--uri
     ,@(when symbol (list :position (contextls--position (point))))))

(defun contextls--working-set ()
  "The working set of this project."
  (contextls--request (contextls--project) :context/workingSet/list))

(defun contextls--entry-name (entry)
  "What ENTRY of the working set is called in it."
  (or (plist-get entry :target)
      (string-join (delq nil (list (plist-get entry :path)
                                   (plist-get entry :symbol)))
                   "#")))

(defun contextls--choose (field prompt)
  "Choose with PROMPT among the entries in FIELD of the working set."
  (let ((names (mapcar #'contextls--entry-name
                       (plist-get (contextls--working-set) field))))
    (unless names
      (user-error "There is none in this project"))
    (completing-read prompt names nil t)))

;;;###autoload
(defun contextls-pin (&optional symbol)
  "Put this file into every prompt.
With a prefix argument SYMBOL only the symbol around point."
  (interactive "P")
  (contextls--change-working-set :context/workingSet/pin
                                 (contextls--this-file symbol)
                                 "Pinned: it comes first in every prompt"))

;;;###autoload
(defun contextls-unpin (entry)
  "Let ENTRY, which is pinned, go."
  (interactive (list (contextls--choose :files "Unpin: ")))
  (contextls--change-working-set :context/workingSet/unpin (list :path entry)
                                 (format "Unpinned %s" entry)))

;;;###autoload
(defun contextls-exclude (&optional symbol)
  "Keep this file out of every prompt.
With a prefix argument SYMBOL only the symbol around point."
  (interactive "P")
  (contextls--change-working-set :context/workingSet/exclude
                                 (contextls--this-file symbol)
                                 "Excluded: it stays out of every prompt"))

;;;###autoload
(defun contextls-include (entry)
  "Stop excluding ENTRY."
  (interactive (list (contextls--choose :excluded "Include again: ")))
  (contextls--change-working-set :context/workingSet/include (list :path entry)
                                 (format "%s is no longer excluded" entry)))

(defun contextls--weigh (entry change)
  "Give ENTRY, which is pinned, a priority that differs by CHANGE."
  (let* ((pinned (or (seq-find (lambda (each)
                                 (equal (contextls--entry-name each) entry))
                               (plist-get (contextls--working-set) :files))
                     (user-error "%s is not pinned" entry)))
         (priority (min 1.0 (max 0.0 (+ (plist-get pinned :priority) change)))))
    (contextls--change-working-set
     :context/workingSet/pin
     (list :path entry :priority (/ (round priority 0.01) 100.0))
     (format "%s has priority %.2g" entry priority))))

;;;###autoload
(defun contextls-raise (entry)
  "Let ENTRY, which is pinned, come sooner: its priority is a tenth higher."
  (interactive (list (contextls--choose :files "Raise: ")))
  (contextls--weigh entry 0.1))

;;;###autoload
(defun contextls-lower (entry)
  "Let ENTRY, which is pinned, come later: its priority is a tenth lower."
  (interactive (list (contextls--choose :files "Lower: ")))
  (contextls--weigh entry -0.1))

(defun contextls--describe-update (update)
  "What UPDATE by a model, or what the server did, was, and why."
  (if (plist-get update :steps)
      (mapconcat (lambda (step)
                   (format "%s %s — %s"
                           (pcase (plist-get step :action)
                             ("add_to_working_set" "added")
                             ("remove_from_working_set" "removed")
                             ("adjust_priority" "weighed otherwise:")
                             (action action))
                           (plist-get step :target)
                           (plist-get step :why)))
                 (plist-get update :steps) "; ")
    (format "%s — %s" (plist-get update :text) (plist-get update :why))))

(defun contextls--choose-update ()
  "Choose among what models and the server did to the working set."
  (let* ((view (contextls--working-set))
         (choices (mapcar (lambda (update)
                            (cons (contextls--describe-update update)
                                  (plist-get update :id)))
                          (seq-concatenate 'list (plist-get view :updates)
                                           (plist-get view :server)))))
    (unless choices
      (user-error "There is nothing to undo"))
    (cdr (assoc (completing-read "Undo: " choices nil t) choices))))

;;;###autoload
(defun contextls-undo (&optional id)
  "Take back what a model did to the working set last.
With a prefix argument choose what, of what the server did as well: ID."
  (interactive (list (and current-prefix-arg (contextls--choose-update))))
  (let ((undone (apply #'contextls--request (contextls--project)
                       :context/workingSet/undo (and id (list :id id)))))
    (unless (plist-get undone :id)
      (user-error "There is nothing to undo"))
    (message "Undid: %s"
             (string-join (cons (if (seq-empty-p (plist-get undone :steps))
                                    (plist-get undone :id)
                                  (contextls--describe-update undone))
                                (append (plist-get undone :kept) nil))
                          " · "))))


;;; The scope

(defun contextls--describe-scope (view)
  "What questions are about by VIEW, the answer to `context/scope'."
  (if (seq-empty-p (plist-get view :folders))
      "the whole project"
    (format "%s (%d of %d files)"
            (mapconcat (lambda (folder) (plist-get folder :path))
                       (plist-get view :folders) ", ")
            (plist-get view :files)
            (plist-get view :totalFiles))))

(defun contextls--read-scope ()
  "Read folders and packages of this project, none for the whole of it."
  (let* ((view (contextls--request (contextls--project) :context/scope))
         (names (mapcan (lambda (choice)
                          (delete "" (list (plist-get choice :path)
                                           (plist-get choice :package))))
                        (append (plist-get view :choices) nil))))
    (completing-read-multiple
     (format "Questions are about %s; limit them to (all): "
             (contextls--describe-scope view))
     names nil t)))

;;;###autoload
(defun contextls-scope (entries)
  "Limit questions to ENTRIES, folders and packages; nil for the whole project."
  (interactive (list (contextls--read-scope)))
  (message "Questions are about %s"
           (contextls--describe-scope
            (contextls--request (contextls--project) :context/scope
                                :scope (vconcat entries)))))


;;; How things stand

;;;###autoload
(defun contextls-activity ()
  "Show what happened in this project, newest first."
  (interactive)
  (contextls-activity--show (contextls--project)))

;;;###autoload
(defun contextls-status ()
  "Show how the index and the memory of this project stand."
  (interactive)
  (contextls--show-status (contextls--project)))

(defun contextls-pause ()
  "Record nothing from now on until Emacs ends, or go on."
  (interactive)
  (setq contextls-settings
        (plist-put (copy-sequence contextls-settings)
                   :memoryPaused (if (contextls--paused-p) :json-false t)))
  (contextls--tell-settings)
  (message (if (contextls--paused-p)
               "Memory is paused: nothing is recorded"
             "Memory goes on: what you do is recorded")))

(defun contextls-restart ()
  "Start the server again."
  (interactive)
  (contextls--stop)
  (contextls--project)
  (message "The contextls server was restarted"))

;;;###autoload (autoload 'contextls-command-map "contextls" nil nil 'keymap)
(defvar contextls-command-map
  (let ((map (make-sparse-keymap)))
    (define-key map "a" #'contextls-assemble)
    (define-key map "w" #'contextls-copy)
    (define-key map "f" #'contextls-failure)
    (define-key map "r" #'contextls-review)
    (define-key map "e" #'contextls-problem)
    (define-key map "p" #'contextls-pin)
    (define-key map "u" #'contextls-unpin)
    (define-key map "x" #'contextls-exclude)
    (define-key map "i" #'contextls-include)
    (define-key map "+" #'contextls-raise)
    (define-key map "-" #'contextls-lower)
    (define-key map "_" #'contextls-undo)
    (define-key map "n" #'contextls-scope)
    (define-key map "l" #'contextls-activity)
    (define-key map "s" #'contextls-status)
    (define-key map "z" #'contextls-pause)
    map)
  "The commands of contextls, for a prefix key.")
(defalias 'contextls-command-map contextls-command-map)

(provide 'contextls)
;;; contextls.el ends here
