;;; contextls-activity.el --- What happened in a project  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What `compile' runs is recorded here.  The events that the server remembers,
;; from every editor, shell and agent, are shown as a table, and how the index
;; stands in a buffer of help.

;;; Code:

(require 'contextls-server)
(require 'contextls-result)
(require 'tabulated-list)

(defvar compilation-arguments)
(defvar compilation--start-time)

(defconst contextls--max-output (* 128 1024)
  "The server reads as many characters of output for failures.")


;;; What `compile' ran

(defvar contextls--recording 0
  "How many events are on their way to the server.")

(defun contextls--record (root type content)
  "Tell the server of an event of TYPE with CONTENT in the project ROOT."
  (let ((done (lambda (&rest _) (cl-decf contextls--recording))))
    (jsonrpc-async-request
     contextls--connection :context/recordEvent
     (list :type type :rootUri (contextls--uri root) :content content)
     :success-fn done :error-fn done :timeout-fn done)
    (cl-incf contextls--recording)))

(defun contextls--wait-recorded ()
  "Wait a moment for events that are on their way."
  (with-timeout (3)
    (while (> contextls--recording 0)
      (accept-process-output nil 0.02))))

(defun contextls--compilation-output (command)
  "What COMMAND printed into this buffer of `compile'."
  (save-excursion
    (goto-char (point-min))
    (forward-line (+ 3 (length (split-string command "\n"))))
    (let* ((start (point))
           (end (or (text-property-any start (point-max)
                                       'compilation-handle-exit t)
                    (point-max))))
      (contextls--text
       (buffer-substring (max start (- end contextls--max-output)) end)))))

(defun contextls--exit-code (said)
  "The exit code of a compilation that ended as SAID.
Nil for one that was killed: that is no failure of what it ran."
  (cond ((string-prefix-p "finished" said) 0)
        ((string-match "exited abnormally with code \\([0-9]+\\)" said)
         (string-to-number (match-string 1 said)))))

(defun contextls--record-compilation (buffer said)
  "Tell the server of the command that ended in BUFFER; SAID is how."
  (with-current-buffer buffer
    (when-let* (((not (derived-mode-p 'grep-mode)))
                (command (car-safe compilation-arguments))
                ((stringp command))
                (code (contextls--exit-code said))
                ((contextls--running))
                (root (contextls--root)))
      (contextls--open-folder root)
      (contextls--record
       root "shell_exec"
       `( :command ,(contextls--text command)
          :cwd ,(contextls--text
                 (directory-file-name (file-truename default-directory)))
          :exitCode ,code
          :stdout ,(contextls--compilation-output command)
          ,@(when-let* ((began (bound-and-true-p compilation--start-time)))
              (list :durationMs
                    (round (* 1000 (- (float-time) began))))))))))


;;; The table of events

(defvar contextls-activity-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'contextls-activity-visit)
    map)
  "Keys in the table of events.")

(define-derived-mode contextls-activity-mode tabulated-list-mode "Activity"
  "Major mode for what happened in a project, newest first.

\\{contextls-activity-mode-map}"
  (setq tabulated-list-format [("Time" 19 t) ("Kind" 12 t) ("What" 0 nil)]
        tabulated-list-entries #'contextls-activity--entries)
  (tabulated-list-init-header))

(defun contextls-activity--failed-p (event)
  "Whether something went wrong in EVENT."
  (or (equal (plist-get event :outcome) "failure")
      (equal (plist-get event :type) "error")))

(defun contextls-activity--entry (event)
  "The row of EVENT."
  (let ((text (replace-regexp-in-string "[ \t\n]+" " "
                                        (plist-get event :text))))
    (list event
          (vector (format-time-string "%F %T"
                                      (/ (plist-get event :timestamp) 1000))
                  (plist-get event :type)
                  (if (contextls-activity--failed-p event)
                      (propertize text 'font-lock-face 'error)
                    text)))))

(defun contextls-activity--entries ()
  "The rows of this buffer's project."
  (mapcar #'contextls-activity--entry
          (plist-get (contextls--request default-directory
                                         :context/events :limit 200)
                     :events)))

(defun contextls-activity--show (root)
  "Show what happened in the project ROOT."
  (with-current-buffer (get-buffer-create "*contextls activity*")
    (contextls-activity-mode)
    (setq default-directory root)
    (tabulated-list-print))
  (pop-to-buffer "*contextls activity*")
  (goto-char (point-min)))

(defun contextls-activity-visit ()
  "Open the file that the event of this row is about."
  (interactive nil contextls-activity-mode)
  (let* ((event (or (tabulated-list-get-id)
                    (user-error "There is no event here")))
         (content (plist-get event :content))
         (path (or (plist-get content :path)
                   (user-error "This event is about no file")))
         (file (expand-file-name path)))
    (unless (file-exists-p file)
      (user-error "%s is gone" path))
    (contextls-result--visit-place file (or (plist-get content :line)
                                            (plist-get content :startLine)))))


;;; How things stand

(defun contextls--counts (counts)
  "COUNTS, a property list of numbers, in words."
  (or (cl-loop for (name number) on counts by #'cddr
               collect (format "%s %d" (substring (symbol-name name) 1) number)
               into words
               finally return (and words (string-join words ", ")))
      "nothing"))

(defun contextls--paused-p ()
  "Whether nothing is recorded."
  (eq (plist-get contextls-settings :memoryPaused) t))

(defun contextls--status-lines (status)
  "STATUS, as the server has it, as names and values."
  `(("Index" ,(pcase (plist-get status :state)
                ("ready" "complete and up to date")
                ("indexing" "being built: answers may lack something")
                (state state)))
    ("Files" ,(format "%d in %d chunks" (plist-get status :files)
                      (plist-get status :chunks)))
    ("Languages" ,(contextls--counts (plist-get status :languages)))
    ("Left out" ,(contextls--counts (plist-get status :skipped)))
    ("Events" ,(number-to-string (plist-get status :events)))
    ("Memory" ,(if (contextls--paused-p)
                   "paused: nothing is recorded"
                 "records what you do"))
    ("Index in" ,(plist-get status :indexLocation))
    ("Events in" ,(plist-get status :stateLocation))
    ,@(mapcar (lambda (warning) (list "Warning" warning))
              (plist-get status :warnings))))

(defun contextls--show-status (root)
  "Show how the index and the memory of the project ROOT stand."
  (let ((status (contextls--request root :context/status)))
    (with-help-window "*contextls status*"
      (princ (format "contextls in %s\n\n" root))
      (pcase-dolist (`(,name ,value) (contextls--status-lines status))
        (princ (format "%-10s %s\n" name value))))))

(provide 'contextls-activity)
;;; contextls-activity.el ends here
